import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AuthPage } from '../features/auth/auth-page.tsx'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

/** Replaces a screen that failed; the rest of the page keeps working. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const texts = useTexts()
  return (
    <Page title={texts.errors.title}>
      <Notice tone="bad">{explainError(error, texts)}</Notice>
      <div>
        <Button onClick={() => (reset ? reset() : location.reload())}>{texts.general.retry}</Button>
      </div>
    </Page>
  )
}

/** Replaces every screen of a bot that was deleted, or that belongs to somebody else. */
export function MissingBot() {
  const { errors } = useTexts()
  return (
    <Page title={errors.notFound} about={errors.notFoundAbout}>
      <div>
        <Button component={Link} to="/bots">
          {errors.toBots}
        </Button>
      </div>
    </Page>
  )
}

export function NotFoundPage() {
  const { errors } = useTexts()
  return (
    <AuthPage title={errors.notFound} about={errors.notFoundAbout}>
      <Link to="/bots">{errors.toBots}</Link>
    </AuthPage>
  )
}
