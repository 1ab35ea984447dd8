import type { Conversation } from '@docent/contract'
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function Notes({ botId, conversation }: { botId: string; conversation: Conversation }) {
  const { inbox: words } = useTexts()
  const mayWrite = useHasRole('agent')
  const [text, setText] = useState('')
  const add = useApiMutation('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/notes', {
    onDone: () => setText(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const params = { botId, conversationId: conversation.id }
    if (text.trim() && !add.isPending) add.mutate({ params, body: { text: text.trim() } })
  }
  return (
    <section className="stack tight" aria-label={words.notes}>
      <h3>{words.notes}</h3>
      <p className="small quiet">{words.notesAbout}</p>
      {conversation.notes.map((note) => (
        <div key={note.id} className="note">
          <PlainText text={note.text} />
          <p className="small quiet">
            {note.author} · <Time time={note.created_at} />
          </p>
        </div>
      ))}
      {mayWrite && (
        <form className="stack tight" onSubmit={submit}>
          <Textarea
            aria-label={words.note}
            placeholder={words.note}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={4000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div>
            <Button type="submit" variant="default" size="compact-sm" loading={add.isPending} disabled={!text.trim()}>
              {words.addNote}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
