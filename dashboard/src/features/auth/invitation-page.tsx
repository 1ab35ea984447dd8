import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { client } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
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
  const invitationQuery = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => client.request('POST /api/manage/v1/invitations/read', { body: { token } }),
    enabled: token !== '',
    retry: false,
  })
  const invitation = invitationQuery.data?.invitation
  if (invitationQuery.error)
    return (
      <AuthPage title={auth.invitationTitle}>
        <LoadError error={invitationQuery.error} onRetry={() => invitationQuery.refetch()} />
      </AuthPage>
    )
  if (!token || invitation === null)
    return (
      <AuthPage title={auth.invitationTitle}>
        <Notice tone="warn">{token ? auth.linkUsed : auth.linkMissing}</Notice>
      </AuthPage>
    )
  if (!invitation)
    return (
      <AuthPage title={auth.invitationTitle}>
        <LoadingRows count={3} />
      </AuthPage>
    )
  const { workspace, email, invited_by } = invitation
  const who = invited_by ? auth.invitedBy(invited_by, email) : auth.invited(email)
  return (
    <AuthPage title={auth.invitationTo(workspace)} about={`${who} ${auth.invitationAbout}`}>
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
