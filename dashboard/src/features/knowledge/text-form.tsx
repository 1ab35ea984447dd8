import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { toast } from '../../forms/toast.tsx'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { texts as newBot } from '../bots/new-bot-texts.ts'

interface Props {
  botId: string
  /** Another button of the screen is the main one. */
  isSecondary?: boolean
  onDone: () => void
  /** In a dialog: closes it. */
  onCancel?: () => void
}

/** Adds a text as a document. The server validates documents individually, so a rejection is part of the response. */
export function TextForm({ botId, isSecondary = false, onDone, onCancel }: Props) {
  const { documents: texts, general } = useTexts()
  const [title, setTitle] = useState('')
  const [url, setUrl] = useState('')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const add = useApiMutation('POST /api/manage/v1/bots/{botId}/documents', {
    silent: true,
    onDone: ({ errors }) => {
      setProblem(errors[0]?.message ?? '')
      if (errors.length > 0) return
      toast(texts.added)
      setTitle('')
      setUrl('')
      setText('')
      onDone()
    },
  })
  const document = { title, markdown: text, ...(url.trim() ? { url: withScheme(url) } : {}) }
  return (
    <Form
      action={newBot.addText}
      isSecondary={isSecondary}
      onCancel={onCancel}
      pending={add.isPending}
      error={add.error}
      onSubmit={() => add.mutate({ params: { botId }, body: { documents: [document] } })}
    >
      <TextInput
        label={texts.titleField}
        required
        data-autofocus
        maxLength={500}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label={texts.text}
        description={texts.textHint}
        required
        autosize
        minRows={6}
        maxRows={16}
        value={text}
        error={problem || null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label={`${texts.url} (${general.optional})`}
        description={texts.urlHint}
        inputMode="url"
        placeholder="https://"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
    </Form>
  )
}
