import { useEffect, useRef } from 'react'
import { unshownOf } from '../client.ts'
import { useMessages } from '../messages/messages.tsx'
import { explain } from '../text/explain.ts'
import { Notice } from '../ui/notice.tsx'

// Mantine sets only the second on password fields.
const INVALID = '[aria-invalid="true"], input[data-invalid]'

/** Below the fields: what none of them says already. The first field that complains gets the focus. */
export function Problem({ error }: { error: unknown }) {
  const messages = useMessages()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) place.current?.closest('form')?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [error])
  const unshown = unshownOf(error)
  return (
    <div ref={place} hidden={!unshown}>
      {Boolean(unshown) && <Notice tone="bad">{explain(unshown, messages)}</Notice>}
    </div>
  )
}
