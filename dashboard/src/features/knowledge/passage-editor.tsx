import type { Passage, PatchPassage } from '@docent/contract'
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { splitLines } from '../../text/split-lines.ts'
import { useTexts } from '../../texts/texts.tsx'
import { studioTexts as texts } from './studio-texts.ts'

interface Props {
  kind: 'text' | 'phrasings'
  passage: Passage
  isSaving: boolean
  onSave: (change: PatchPassage, doneText: string) => void
  onCancel: () => void
}

/** Corrects the text of a passage, or its phrasings, in place. */
export function PassageEditor({ kind, passage, isSaving, onSave, onCancel }: Props) {
  const { general } = useTexts()
  const isText = kind === 'text'
  const [value, setValue] = useState(isText ? (passage.corrected_text ?? passage.text) : passage.phrasings.join('\n'))
  // Somebody else may save while this is open; their change must not be lost.
  const [expectation] = useState({ expected_edited_at: passage.edited_at })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isText) onSave({ corrected_text: value.trim() || null, ...expectation }, texts.saved)
    else onSave({ phrasings: splitLines(value), ...expectation }, texts.phrasingsSaved)
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <Textarea
        label={isText ? texts.correct : texts.phrasingsLabel}
        description={isText ? texts.correctHint : texts.phrasingsHint}
        autosize
        minRows={isText ? 4 : 2}
        maxRows={20}
        maxLength={isText ? 4000 : 25_000}
        autoFocus
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
        }}
      />
      <div className="inline">
        <Button type="submit" size="sm" loading={isSaving}>
          {isText ? texts.save : texts.savePhrasings}
        </Button>
        <Button size="sm" variant="subtle" color="gray" onClick={onCancel}>
          {general.cancel}
        </Button>
      </div>
    </form>
  )
}
