import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AuthPage } from '../features/auth/auth-page.tsx'
import { useMessages } from '../messages/messages.tsx'
import { explainError } from '../text/explain-error.ts'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

/** Replaces a screen that failed; the rest of the page keeps working. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const messages = useMessages()
  return (
    <Page title={messages.errors.title}>
      <Notice tone="bad">{explainError(error, messages)}</Notice>
      <div>
        <Button onClick={() => (reset ? reset() : location.reload())}>{messages.general.retry}</Button>
      </div>
    </Page>
  )
}

export function NotFoundPage() {
  const { errors } = useMessages()
  return (
    <AuthPage title={errors.notFound} about={errors.notFoundAbout}>
      <Link to="/bots">{errors.toBots}</Link>
    </AuthPage>
  )
}
