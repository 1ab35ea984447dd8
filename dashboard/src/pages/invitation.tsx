import { useState } from 'react'
import { useAct } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { enter } from '../parts/enter.ts'
import { Form } from '../parts/form.tsx'
import { Gate } from '../parts/gate.tsx'
import { linkToken } from '../parts/link-token.ts'
import { Notice } from '../parts/notice.tsx'
import { NameField, NewPasswordField, useCode } from '../parts/person-fields.tsx'

export function InvitationPage() {
  const { auth } = useMessages()
  const [token] = useState(linkToken)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const code = useCode()
  const accept = useAct('POST /api/manage/v1/invitations/accept', { silent: true, onDone: (session) => enter(session) })
  if (!token)
    return (
      <Gate title={auth.invitationTitle}>
        <Notice tone="warn">{auth.linkMissing}</Notice>
      </Gate>
    )
  return (
    <Gate title={auth.invitationTitle} about={auth.invitationAbout}>
      <Form
        action={auth.join}
        pending={accept.isPending}
        error={code.shown(accept.error)}
        onSubmit={() => accept.mutate({ body: { token, name, password, ...code.given } }, code)}
      >
        <NameField autoFocus value={name} onChange={setName} />
        <NewPasswordField failure={accept.error} path="password" value={password} onChange={setPassword} />
        {code.field}
      </Form>
    </Gate>
  )
}
