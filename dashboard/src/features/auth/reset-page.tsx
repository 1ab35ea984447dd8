import { SCREENS } from '@docent/contract/screens'
import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmailField, NewPasswordField } from './account-fields.tsx'
import { AuthPage } from './auth-page.tsx'
import { useLinkToken } from './link-token.ts'

/** With the token of a link: sets a new password. Without: sends such a link. */
export function ResetPage() {
  const token = useLinkToken()
  return token ? <SetPassword token={token} /> : <RequestLink />
}

function SetPassword({ token }: { token: string }) {
  const { auth } = useTexts()
  const [password, setPassword] = useState('')
  const [revokes, setRevokes] = useState(false)
  const reset = useApiMutation('POST /api/manage/v1/password-reset', { silent: true })
  return (
    <AuthPage title={auth.resetTitle}>
      {reset.isSuccess ? (
        <Notice tone="good">{auth.resetDone}</Notice>
      ) : (
        <Form
          action={auth.reset}
          pending={reset.isPending}
          error={reset.error}
          onSubmit={() => reset.mutate({ body: { token, password, revoke_tokens: revokes } })}
        >
          <NewPasswordField
            label={auth.newPassword}
            failure={reset.error}
            path="password"
            autoFocus
            value={password}
            onChange={setPassword}
          />
          <Checkbox
            label={auth.revokeTokens}
            description={auth.revokeTokensAbout}
            checked={revokes}
            onChange={(event) => setRevokes(event.currentTarget.checked)}
          />
        </Form>
      )}
      <Link to={SCREENS.logIn}>{auth.toLogIn}</Link>
    </AuthPage>
  )
}

function RequestLink() {
  const { auth } = useTexts()
  const [email, setEmail] = useState('')
  const ask = useApiMutation('POST /api/manage/v1/password-reset/request', { silent: true })
  return (
    <AuthPage title={auth.resetRequestTitle} about={auth.resetRequestAbout}>
      {ask.isSuccess ? (
        <Notice tone="good">{auth.resetRequested}</Notice>
      ) : (
        <Form
          action={auth.resetRequest}
          pending={ask.isPending}
          error={ask.error}
          onSubmit={() => ask.mutate({ body: { email } })}
        >
          <EmailField autoFocus value={email} onChange={setEmail} />
        </Form>
      )}
      <Link to={SCREENS.logIn}>{auth.toLogIn}</Link>
    </AuthPage>
  )
}
