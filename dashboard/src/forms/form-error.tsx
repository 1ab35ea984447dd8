import { useEffect, useRef } from 'react'
import { remainingError } from '../client.ts'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from '../ui/notice.tsx'

// On password fields, Mantine sets only data-invalid.
const INVALID = '[aria-invalid="true"], input[data-invalid]'

/** Shows the errors that belong to no field, and focuses the first invalid field. */
export function FormError({ error }: { error: unknown }) {
  const texts = useTexts()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) place.current?.closest('form')?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [error])
  const otherError = remainingError(error)
  return (
    <div ref={place} hidden={!otherError}>
      {Boolean(otherError) && <Notice tone="bad">{explainError(otherError, texts)}</Notice>}
    </div>
  )
}
