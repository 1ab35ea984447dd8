import type { Conversation, Note } from '@docent/contract'
import { Button } from '@mantine/core'
import { type FormEvent, Fragment } from 'react'
import { useApiMutation } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { safeWebUrl, WebLink } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { MentionField } from './mention-field.tsx'
import { mentionedIn, mentionPatterns } from './mentions.ts'
import { useDraft } from './use-draft.ts'

export function Notes({ botId, conversation }: { botId: string; conversation: Conversation }) {
  const { inbox: texts } = useTexts()
  const mayWrite = useHasRole('agent')
  // Kept: the details move to another place when the window becomes narrow.
  const [text, setText] = useDraft(conversation.id, 'note')
  const [mentionsDraft, setMentionsDraft] = useDraft(conversation.id, 'mentions')
  // Names by id, of those picked while writing; some may have been deleted from the text since.
  const pickedMembers = new Map<string, string>(JSON.parse(mentionsDraft || '[]'))
  const add = useApiMutation('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/notes', {
    onDone: () => {
      setText('')
      setMentionsDraft('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const params = { botId, conversationId: conversation.id }
    const mentions = mentionedIn(text, pickedMembers)
    if (text.trim() && !add.isPending) add.mutate({ params, body: { text: text.trim(), mentions } })
  }
  return (
    <section className="stack tight" aria-label={texts.notes}>
      <h3>{texts.notes}</h3>
      <p className="small quiet">{texts.notesAbout}</p>
      {conversation.notes.map((note) => (
        <div key={note.id} className="note">
          <NoteText note={note} />
          <p className="small quiet">
            {note.author} · <Time time={note.created_at} />
          </p>
        </div>
      ))}
      {mayWrite && (
        <form className="stack tight" onSubmit={submit}>
          <MentionField
            label={texts.note}
            text={text}
            onChange={setText}
            onMention={(member) => setMentionsDraft(JSON.stringify([...pickedMembers.set(member.id, member.name)]))}
          />
          <div>
            <Button type="submit" variant="default" size="compact-sm" loading={add.isPending} disabled={!text.trim()}>
              {texts.addNote}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}

/** A note with the members it mentions, and links. */
export function NoteText({ note: { text, mentions } }: { note: Note }) {
  // A node of the previous version sends none during an upgrade.
  const all = (mentions ?? []).map(({ name }) => name)
  const names = new Set(all.map((name) => `@${name}`))
  const pattern = new RegExp(`(${[...mentionPatterns(all), 'https?://[^\\s<>"\']+'].join('|')})`, 'iu')
  return (
    <p className="plain-text" dir="auto">
      {text.split(pattern).map((part, index) => (
        <Fragment key={index}>
          {names.has(part) ? (
            <strong className="mention">{part}</strong>
          ) : safeWebUrl(part) ? (
            <WebLink url={part} />
          ) : (
            part
          )}
        </Fragment>
      ))}
    </p>
  )
}
