import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { enter, nextPlace } from '../parts/enter.ts'
import { Form } from '../parts/form.tsx'
import { Gate } from '../parts/gate.tsx'
import { EmailField, PasswordField, useCode } from '../parts/person-fields.tsx'

export function LogInPage() {
  const { auth } = useMessages()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const code = useCode()
  const logIn = useAct('POST /api/manage/v1/session', {
    silent: true,
    onDone: (session) => enter(session, nextPlace(location.search)),
  })
  return (
    <Gate title={auth.logInTitle}>
      <Form
        action={auth.logIn}
        pending={logIn.isPending}
        error={code.shown(logIn.error)}
        onSubmit={() => logIn.mutate({ body: { email, password, ...code.given } }, code)}
      >
        <EmailField autoFocus value={email} onChange={setEmail} />
        <PasswordField value={password} onChange={setPassword} />
        {code.field}
      </Form>
      <p className="small">
        <Link to="/reset">{auth.forgot}</Link>
      </p>
    </Gate>
  )
}
