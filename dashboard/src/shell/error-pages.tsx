import { SCREENS } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { AuthPage } from '../features/auth/auth-page.tsx'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'
import { useRetry } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

/** Replaces a screen that failed; the rest of the page keeps working. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const texts = useTexts()
  const router = useRouter()
  // The router would show the failure of a session again without asking for it.
  const retry = () => void router.invalidate().then(() => (reset ? reset() : location.reload()))
  const isWaiting = useRetry(error, retry)
  return (
    <Page title={texts.errors.title}>
      <Notice tone="bad">{isWaiting ? texts.errors.waiting : explainError(error, texts)}</Notice>
      <div>
        <Button onClick={retry}>{texts.general.retry}</Button>
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
        <Button component={Link} to={SCREENS.bots}>
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
      <Link to={SCREENS.bots}>{errors.toBots}</Link>
    </AuthPage>
  )
}
