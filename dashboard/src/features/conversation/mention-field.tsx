// The field for a note: an @ offers the members, typing filters them, Enter inserts a name.
import { Textarea } from '@mantine/core'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { texts } from '../inbox/queue-texts.ts'
import { useTeam } from '../inbox/use-team.ts'

type Member = ReturnType<typeof useTeam>['members'][number]

// Only at the start or after a space, because email addresses have an @ too. A name may have a few words.
const COMMAND = /(^|[\s(])@([\p{L}\p{M}\p{N}._'’-]*(?: [\p{L}\p{M}\p{N}._'’-]+){0,2})$/u
const MAX_SHOWN = 8

interface Props {
  label: string
  text: string
  onChange: (text: string) => void
  onMention: (member: Member) => void
}

export function MentionField({ label, text, onChange, onMention }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [caret, setCaret] = useState(0)
  const [at, setAt] = useState(0)
  const [closedFor, setClosedFor] = useState<string | null>(null)
  const { members } = useTeam()
  const before = text.slice(0, caret)
  const commandMatch = COMMAND.exec(before)
  const nameStart = commandMatch?.[2]?.toLowerCase()
  const suggestedMembers =
    nameStart === undefined || closedFor === before
      ? []
      : members.filter(({ name }) => isNamed(name.toLowerCase(), nameStart)).slice(0, MAX_SHOWN)
  const activeIndex = Math.min(at, Math.max(suggestedMembers.length - 1, 0))
  const optionId = (index: number) => `${listId}-${index}`

  const pick = (member: Member) => {
    const start = caret - (commandMatch?.[2]?.length ?? 0)
    const textWithName = `${text.slice(0, start)}${member.name} `
    onMention(member)
    onChange(textWithName + text.slice(caret).replace(/^ /, ''))
    setAt(0)
    setCaret(textWithName.length)
    // After React has written the text.
    setTimeout(() => field.current?.setSelectionRange(textWithName.length, textWithName.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const member = suggestedMembers[activeIndex]
    if (!member || event.nativeEvent.isComposing) return
    if (event.key === 'Escape') setClosedFor(before)
    else if (event.key === 'ArrowDown') setAt((activeIndex + 1) % suggestedMembers.length)
    else if (event.key === 'ArrowUp') setAt((activeIndex + suggestedMembers.length - 1) % suggestedMembers.length)
    else if (event.key === 'Enter' || event.key === 'Tab') pick(member)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div>
      {suggestedMembers.length > 0 && (
        <div id={listId} className="canned" role="listbox" aria-label={texts.members}>
          {suggestedMembers.map((member, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={member.id}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(member)}
            >
              <strong>@{member.name}</strong>
            </div>
          ))}
        </div>
      )}
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={texts.noteHint}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4000}
        {...(suggestedMembers.length > 0
          ? {
              'aria-controls': listId,
              'aria-activedescendant': optionId(activeIndex),
              'aria-autocomplete': 'list' as const,
            }
          : {})}
        value={text}
        onChange={({ currentTarget }) => {
          setCaret(currentTarget.selectionStart)
          onChange(currentTarget.value)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

/** Whether the name, or a word of it, begins with what was typed; a whole name and a space ends the search. */
function isNamed(name: string, nameStart: string): boolean {
  return name.startsWith(nameStart) || name.split(' ').some((word) => word.startsWith(nameStart))
}
