import { SCREENS } from '@docent/contract/screens'
import { Link } from '@tanstack/react-router'
import { useApiMutation } from '../../api.ts'
import { isError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthPage } from './auth-page.tsx'
import { useLinkToken } from './link-token.ts'

/** Confirms a new address, for the person who is logged in. */
export function EmailPage() {
  const { auth } = useTexts()
  const token = useLinkToken()
  const confirm = useApiMutation('POST /api/manage/v1/account/email', { silent: true })
  const isLoggedOut = isError(confirm.error, 'invalid_management_token')
  if (!token || confirm.data)
    return (
      <AuthPage title={auth.emailTitle}>
        {confirm.data ? (
          <Notice tone="good">{auth.emailConfirmed(confirm.data.email)}</Notice>
        ) : (
          <Notice tone="warn">{auth.linkMissing}</Notice>
        )}
        <Link to={SCREENS.account}>{auth.toAccount}</Link>
      </AuthPage>
    )
  return (
    <AuthPage title={auth.emailTitle} about={auth.emailAbout}>
      {isLoggedOut && <Notice tone="warn">{auth.emailLogIn}</Notice>}
      <Form
        action={auth.emailConfirm}
        pending={confirm.isPending}
        error={isLoggedOut ? null : confirm.error}
        onSubmit={() => confirm.mutate({ body: { token } })}
      >
        {null}
      </Form>
      {isLoggedOut && <Link to={SCREENS.logIn}>{auth.toLogIn}</Link>}
    </AuthPage>
  )
}
