import { SCREENS } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmailField, PasswordField, useTwoFactorCode } from './account-fields.tsx'
import { AuthPage } from './auth-page.tsx'
import { redirectTarget, startSession } from './start-session.ts'

export function LogInPage() {
  const { auth } = useTexts()
  const { data: options } = useApiQuery('GET /api/manage/v1/setup', {})
  const next = redirectTarget(location.search)
  const failures: Record<string, string> = { sso_refused: auth.ssoRefused, rate_limited: auth.ssoBusy }
  const failure = new URLSearchParams(location.search).get('error')
  return (
    <AuthPage title={auth.logInTitle}>
      {failure && <Notice tone="bad">{failures[failure] ?? auth.ssoFailed}</Notice>}
      {options?.sso_name && (
        <Button component="a" href={`/auth/oidc?next=${encodeURIComponent(next)}`} fullWidth>
          {auth.logInWith(options.sso_name)}
        </Button>
      )}
      {options?.password_login !== false && <PasswordLogIn next={next} />}
    </AuthPage>
  )
}

function PasswordLogIn({ next }: { next: string }) {
  const { auth } = useTexts()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const code = useTwoFactorCode()
  const logIn = useApiMutation('POST /api/manage/v1/session', {
    silent: true,
    onDone: (session) => startSession(session, next),
  })
  return (
    <>
      <Form
        action={auth.logIn}
        pending={logIn.isPending}
        error={code.shown(logIn.error)}
        onSubmit={() => logIn.mutate({ body: { email, password, ...code.body } }, code)}
      >
        <EmailField autoFocus value={email} onChange={setEmail} />
        <PasswordField value={password} onChange={setPassword} />
        {code.field}
      </Form>
      <p className="small">
        <Link to={SCREENS.reset}>{auth.forgot}</Link>
      </p>
    </>
  )
}
