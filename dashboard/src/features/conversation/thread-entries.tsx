// What stands between the messages: what was done with the conversation, and the team's notes.
import type { Conversation, ConversationChange, ConversationMessage, Note } from '@docent/contract'
import { formatDateTime } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { thread as texts } from './conversation-texts.ts'
import { NoteText } from './notes.tsx'

type Entry = { created_at: string } & (
  | { message: ConversationMessage; at: number }
  | { change: ConversationChange }
  | { note: Note }
)

/** In order of time. While older messages are missing, nothing before them. */
export function entriesOf(
  messages: ConversationMessage[],
  { changes, notes }: Conversation,
  hasOlder: boolean,
): Entry[] {
  const [first] = messages
  const isShown = ({ created_at }: { created_at: string }) => !hasOlder || !first || created_at >= first.created_at
  const entries: Entry[] = [
    ...messages.map((message, at) => ({ message, at, created_at: message.created_at })),
    ...changes.filter(isShown).map((change) => ({ change, created_at: change.created_at })),
    ...notes.filter(isShown).map((note) => ({ note, created_at: note.created_at })),
  ]
  return entries.sort(
    (one, other) =>
      Date.parse(one.created_at) - Date.parse(other.created_at) || (placeOf(one) < placeOf(other) ? -1 : 1),
  )
}

/** Within a millisecond, the order of the ids after their prefix; a reply that takes over comes after it. */
function placeOf(entry: Entry): string {
  if ('message' in entry) return entry.message.id.slice(4)
  if ('note' in entry) return entry.note.id.slice(4)
  return entry.change.kind === 'taken_over' ? '' : entry.change.id.slice(4)
}

const icons: Record<ConversationChange['kind'], IconName> = {
  requested: 'bell',
  taken_over: 'handover',
  handed_back: 'bots',
  assigned: 'person',
  unassigned: 'person',
  resolved: 'check',
  reopened: 'refresh',
  snoozed: 'snooze',
  woken: 'snooze',
  tagged: 'tag',
  untagged: 'tag',
}

export function ChangeLine({ change, ownName }: { change: ConversationChange; ownName: string }) {
  const { inbox } = useTexts()
  const nameOf = (name: string) => (name === ownName ? inbox.you : name)
  return (
    <p className="log-change small quiet">
      <Icon name={icons[change.kind]} size={14} />
      <span dir="auto">{textOf(change, nameOf)}</span>
      <Time time={change.created_at} format="time" />
    </p>
  )
}

function textOf({ kind, by, value }: ConversationChange, nameOf: (name: string) => string): string {
  if (kind === 'requested') return value && value in texts.requested ? texts.requested[value as 'rule'] : texts.asked
  if (by === null) return kind === 'assigned' ? texts.assignedBySetting(nameOf(value ?? '')) : texts.visitorEnded
  const who = nameOf(by)
  switch (kind) {
    case 'assigned':
      return value === by ? texts.assignedSelf(who) : texts.assigned(who, value ?? '')
    case 'snoozed':
      return texts.snoozed(who, value ? formatDateTime(value) : '')
    case 'tagged':
      return texts.tagged(who, value ?? '')
    case 'untagged':
      return texts.untagged(who, value ?? '')
    default:
      return texts[kind](who)
  }
}

export function NoteLine({ note }: { note: Note }) {
  return (
    <article className="log-note" aria-label={texts.noteOf(note.author)}>
      <p className="small quiet">
        <Icon name="lock" size={14} /> <strong>{texts.noteOf(note.author)}</strong>{' '}
        <Time time={note.created_at} format="time" />
      </p>
      <NoteText note={note} />
    </article>
  )
}
