import { Button } from '@mantine/core'
import { useApiList, useApiMutation } from '../../api.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/lists/rows.tsx'

/** Pending invitations; nothing if there are none. */
export function Invitations({ workspaceId }: { workspaceId: string }) {
  const { members: texts } = useTexts()
  const invitations = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/invitations', { params: { workspaceId } })
  const withdraw = useApiMutation('DELETE /api/manage/v1/workspaces/{workspaceId}/invitations/{invitationId}', {
    done: texts.withdrawn,
  })
  if (invitations.items.length === 0) return null
  return (
    <Card title={texts.pendingTitle}>
      <Rows label={texts.pendingTitle}>
        {invitations.items.map(({ id, email, role, expires_at }) => (
          <Row
            key={id}
            title={email}
            meta={[texts.roles[role], <Time key="expires" time={expires_at} text={texts.expires} />]}
            end={
              <Button
                size="xs"
                variant="default"
                onClick={() => withdraw.mutate({ params: { workspaceId, invitationId: id } })}
              >
                {texts.withdraw}
              </Button>
            }
          />
        ))}
      </Rows>
    </Card>
  )
}
