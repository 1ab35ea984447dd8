import { Textarea, TextInput } from '@mantine/core'
import { type RefObject, useRef } from 'react'
import { texts } from './action-texts.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

interface Props {
  label: string
  description?: string
  /** Lines shown at first; 1 is a field of one line. */
  rows?: number
  maxLength: number
  required?: boolean
  placeholder?: string
  value: string
  error: string | null
  /** What can be inserted, such as `{{order_number}}`. */
  placeholders: string[]
  onChange: (value: string) => void
  fieldRef?: RefObject<Field | null>
}

/** A text with placeholders, and a button for each that inserts it where the cursor is. */
export function TemplateField({ rows = 1, placeholders, onChange, fieldRef, ...props }: Props) {
  const ownRef = useRef<Field>(null)
  const ref = fieldRef ?? ownRef
  const shared = {
    ...props,
    spellCheck: false,
    onChange: (event: { currentTarget: Field }) => onChange(event.currentTarget.value),
  }
  return (
    <div className="stack tight">
      {rows === 1 ? (
        <TextInput {...shared} ref={ref as RefObject<HTMLInputElement>} />
      ) : (
        <Textarea {...shared} ref={ref as RefObject<HTMLTextAreaElement>} autosize minRows={rows} maxRows={14} />
      )}
      {placeholders.length > 0 && (
        <fieldset className="placeholders bare" aria-label={`${texts.insert}: ${props.label}`}>
          <span className="quiet small" aria-hidden="true">
            {texts.insert}
          </span>
          {placeholders.map((each) => (
            <button
              key={each}
              type="button"
              className="placeholder"
              aria-label={texts.insertName(each)}
              onClick={() => insertText(ref.current, each, onChange)}
            >
              {each}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** Replaces the selection, and puts the cursor behind it. */
export function insertText(field: Field | null, text: string, onChange: (value: string) => void, isFocused = true) {
  if (!field) return
  const { value } = field
  // Where nobody has put the cursor yet, it is at the start, and the end is what they expect.
  const [start, end] = field.selectionEnd
    ? [field.selectionStart ?? 0, field.selectionEnd]
    : [value.length, value.length]
  onChange(value.slice(0, start) + text + value.slice(end))
  requestAnimationFrame(() => {
    if (isFocused) field.focus()
    field.setSelectionRange(start + text.length, start + text.length)
  })
}
