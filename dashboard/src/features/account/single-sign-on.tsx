import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'

/** For accounts linked to the OpenID provider; they can be unlinked if password logins are enabled. */
export function SingleSignOn() {
  const { account: texts } = useTexts()
  const { account, sso_name } = useSession()
  const { data: options } = useApiQuery('GET /api/manage/v1/setup', {})
  const [asking, setAsking] = useState(false)
  const unlink = useApiMutation('DELETE /api/manage/v1/account/sso', {
    done: texts.ssoUnlinked,
    onDone: () => setAsking(false),
  })
  if (!account.sso) return null
  const name = sso_name ?? texts.sso
  return (
    <Card split title={texts.sso} about={texts.ssoAbout(name)}>
      {options?.password_login && (
        <div className="form-end">
          <Button variant="default" onClick={() => setAsking(true)}>
            {texts.ssoUnlink}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={texts.ssoUnlink}
        action={texts.ssoUnlink}
        pending={unlink.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => unlink.mutate({})}
      >
        {texts.ssoUnlinkAbout(name)}
      </ConfirmDialog>
    </Card>
  )
}
