import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { EmailField, PasswordField, useCode } from './account-fields.tsx'
import { AuthPage } from './auth-page.tsx'
import { redirectTarget, startSession } from './start-session.ts'

export function LogInPage() {
  const { auth } = useMessages()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const code = useCode()
  const logIn = useAct('POST /api/manage/v1/session', {
    silent: true,
    onDone: (session) => startSession(session, redirectTarget(location.search)),
  })
  return (
    <AuthPage title={auth.logInTitle}>
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
    </AuthPage>
  )
}
