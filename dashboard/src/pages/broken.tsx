import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../messages/messages.tsx'
import { explain } from '../parts/explain.ts'
import { Gate } from '../parts/gate.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'

/** What is shown in place of a screen that failed; the rest of the page goes on. */
export function Broken({ error, reset }: { error: unknown; reset?: () => void }) {
  const messages = useMessages()
  return (
    <Page title={messages.errors.title}>
      <Notice tone="bad">{explain(error, messages)}</Notice>
      <div>
        <Button onClick={() => (reset ? reset() : location.reload())}>{messages.general.retry}</Button>
      </div>
    </Page>
  )
}

export function Lost() {
  const { errors } = useMessages()
  return (
    <Gate title={errors.notFound} about={errors.notFoundAbout}>
      <Link to="/bots">{errors.toBots}</Link>
    </Gate>
  )
}
