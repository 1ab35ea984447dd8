import { SCREENS } from '@docent/contract/screens'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmailField, NameField, NewPasswordField } from './account-fields.tsx'
import { AuthPage } from './auth-page.tsx'
import { useLinkToken } from './link-token.ts'
import { startSession } from './start-session.ts'

/** Creates the first account of an instance, with the link that the server printed. */
export function SetUpPage() {
  const { auth } = useTexts()
  const token = useLinkToken()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { data: setup } = useApiQuery('GET /api/manage/v1/setup', {})
  const setUp = useApiMutation('POST /api/manage/v1/setup', {
    silent: true,
    onDone: (session) => startSession(session),
  })
  if (setup && !setup.needed)
    return (
      <AuthPage title={auth.setUpTitle}>
        <Notice>{auth.setUpDone}</Notice>
        <Link to={SCREENS.logIn}>{auth.toLogIn}</Link>
      </AuthPage>
    )
  if (!token)
    return (
      <AuthPage title={auth.setUpTitle}>
        <Notice tone="warn" title={auth.setUpNoToken}>
          {auth.setUpNoTokenAbout}
        </Notice>
      </AuthPage>
    )
  return (
    <AuthPage title={auth.setUpTitle} about={auth.setUpAbout}>
      <Form
        action={auth.setUp}
        pending={setUp.isPending}
        error={setUp.error}
        onSubmit={() => setUp.mutate({ body: { token, name, email, password } })}
      >
        <NameField autoFocus value={name} onChange={setName} />
        <EmailField value={email} onChange={setEmail} />
        <NewPasswordField failure={setUp.error} path="password" value={password} onChange={setPassword} />
      </Form>
    </AuthPage>
  )
}
