import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { remainingError } from '../client.ts'
import { useHasRole } from '../session.ts'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from '../ui/notice.tsx'

// On password fields, Mantine sets only data-invalid.
const INVALID = '[aria-invalid="true"], input[data-invalid]'

interface Props {
  onSubmit: () => void
  action: string
  pending: boolean
  error: unknown
  disabled?: boolean
  /** Another button of the screen is the main one. */
  isSecondary?: boolean
  /** Makes the button red. */
  destroys?: boolean
  /** In a dialog: closes it. */
  onCancel?: (() => void) | undefined
  /** Shown next to the button. */
  aside?: ReactNode
  children: ReactNode
}

/** A form with its error and one submit button. */
export function Form({
  onSubmit,
  action,
  pending,
  error,
  disabled,
  isSecondary,
  destroys,
  onCancel,
  aside,
  children,
}: Props) {
  const { general } = useTexts()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) onSubmit()
  }
  return (
    <form className="form" onSubmit={submit}>
      {children}
      {Boolean(error) && <FormError error={error} />}
      <div className="form-end">
        <Button
          type="submit"
          loading={pending}
          disabled={disabled ?? false}
          {...(isSecondary ? { variant: 'default' } : {})}
          {...(destroys ? { color: 'red' } : {})}
        >
          {action}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {general.cancel}
          </Button>
        )}
        {aside}
      </div>
    </form>
  )
}

/** Read-only for users who may not edit. */
export function EditorForm(props: Props) {
  const { unsaved } = useTexts()
  if (useHasRole('editor')) return <Form {...props} />
  return (
    <form className="form">
      <Notice>{unsaved.readOnly}</Notice>
      <fieldset className="form bare" disabled>
        {props.children}
      </fieldset>
    </form>
  )
}

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
