import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NameField, NewPasswordField, useTwoFactorCode } from './account-fields.tsx'
import { AuthPage } from './auth-page.tsx'
import { useLinkToken } from './link-token.ts'
import { startSession } from './start-session.ts'

export function InvitationPage() {
  const { auth } = useTexts()
  const token = useLinkToken()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const code = useTwoFactorCode()
  const accept = useApiMutation('POST /api/manage/v1/invitations/accept', {
    silent: true,
    onDone: (session) => startSession(session),
  })
  if (!token)
    return (
      <AuthPage title={auth.invitationTitle}>
        <Notice tone="warn">{auth.linkMissing}</Notice>
      </AuthPage>
    )
  return (
    <AuthPage title={auth.invitationTitle} about={auth.invitationAbout}>
      <Form
        action={auth.join}
        pending={accept.isPending}
        error={code.shown(accept.error)}
        onSubmit={() => accept.mutate({ body: { token, name, password, ...code.body } }, code)}
      >
        <NameField autoFocus value={name} onChange={setName} />
        <NewPasswordField failure={accept.error} path="password" value={password} onChange={setPassword} />
        {code.field}
      </Form>
    </AuthPage>
  )
}
