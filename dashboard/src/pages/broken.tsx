import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../messages/messages.tsx'
import { Empty } from '../parts/empty.tsx'
import { explain } from '../parts/explain.ts'

/** What is shown in place of a screen that failed; the rest of the page goes on. */
export function Broken({ error, reset }: { error: unknown; reset?: () => void }) {
  const messages = useMessages()
  return (
    <div className="page">
      <Empty
        icon="warn"
        title={messages.errors.title}
        about={explain(error, messages)}
        action={<Button onClick={() => (reset ? reset() : location.reload())}>{messages.general.retry}</Button>}
      />
    </div>
  )
}

export function Lost() {
  const { errors } = useMessages()
  return (
    <main className="page">
      <Empty
        icon="search"
        title={errors.lost}
        about={errors.lostAbout}
        action={<Link to="/bots">{errors.lostBack}</Link>}
      />
    </main>
  )
}
