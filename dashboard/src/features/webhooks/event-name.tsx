import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'

export function eventName(type: string, { events }: Texts['deliveries']): string {
  return (events as Record<string, string>)[type] ?? type
}

/** The translated name, followed by the API's. */
export function EventName({ type }: { type: string }) {
  const { deliveries: texts } = useTexts()
  return (
    <>
      {eventName(type, texts)} <code className="small quiet">{type}</code>
    </>
  )
}
