import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useHasRole } from '../session.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from '../ui/notice.tsx'
import { FormError } from './form-error.tsx'

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
