import { useMessages } from '../../messages/messages.tsx'
import type { Messages } from '../../messages/messages-type.ts'

export function eventName(type: string, { events }: Messages['deliveries']): string {
  return (events as Record<string, string>)[type] ?? type
}

/** The translated name, followed by the API's. */
export function EventName({ type }: { type: string }) {
  const { deliveries: words } = useMessages()
  return (
    <>
      {eventName(type, words)} <code className="small quiet">{type}</code>
    </>
  )
}
