import type { BodyOf, Routes } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { namesOrder } from './action-draft.ts'
import { texts } from './action-texts.ts'
import { fieldProblem } from './field-problem.ts'

interface Props {
  botId: string
  opened: boolean
  onClose: () => void
}

/** Asks for as much as a draft needs. Everything else is on its own page, which opens then. */
export function NewActionForm({ botId, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.create} size="lg">
      <Fields botId={botId} onCancel={onClose} />
    </Modal>
  )
}

function Fields({ botId, onCancel }: { botId: string; onCancel: () => void }) {
  const { general } = useTexts()
  const navigate = useNavigate()
  const [template, setTemplate] = useState<TemplateName>('order')
  const start = templateOf(template)
  const [name, setName] = useState(start.name)
  const [examples, setExamples] = useState(start.examples.join('\n'))
  const [url, setUrl] = useState('')
  const [isRefused, setRefused] = useState(false)
  const isLead = start.kind === 'lead'
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/actions', {
    silent: true,
    onDone: ({ id }) => navigate({ to: screenPath('actions', { botId, actionId: id }) }),
  })
  const choose = (templateName: TemplateName) => {
    const next = templateOf(templateName)
    setTemplate(templateName)
    setName(next.name)
    setExamples(next.examples.join('\n'))
    create.reset()
  }
  // A URL pasted with the number of a real order would show that order to everybody.
  const isSame = template === 'order' && !namesOrder(url)
  const submit = () => {
    setRefused(isSame)
    if (isSame) return
    create.mutate({
      params: { botId },
      body: {
        ...start,
        name: name.trim(),
        examples: splitLines(examples),
        ...(isLead ? {} : { request: { method: 'GET', url: withScheme(url) } }),
      },
    })
  }
  return (
    <Form onCancel={onCancel} action={texts.submit} pending={create.isPending} error={create.error} onSubmit={submit}>
      <Select
        label={texts.start}
        description={texts.templateAbout[template]}
        data={TEMPLATE_NAMES.map((value) => ({ value, label: texts.templateNames[value] }))}
        value={template}
        data-autofocus
        onChange={(templateName) => templateName && choose(templateName as TemplateName)}
      />
      <TextInput
        label={general.name}
        required
        maxLength={100}
        value={name}
        error={fieldProblem(create.error, 'name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={texts.examples}
        description={texts.examplesHint}
        required
        autosize
        minRows={3}
        maxRows={8}
        value={examples}
        error={fieldProblem(create.error, 'examples')}
        onChange={(event) => setExamples(event.currentTarget.value)}
      />
      {!isLead && (
        <TextInput
          label={texts.url}
          description={texts.newUrlHint[template === 'order' ? 'order' : 'blank']}
          placeholder={exampleUrl(template)}
          inputMode="url"
          required
          maxLength={1000}
          spellCheck={false}
          value={url}
          error={isRefused && isSame ? texts.newUrlSame : fieldProblem(create.error, 'request')}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      )}
    </Form>
  )
}

// What a new action starts with.
type NewAction = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/actions']>

const TEMPLATE_NAMES = ['order', 'callback', 'blank'] as const
type TemplateName = (typeof TEMPLATE_NAMES)[number]

function templateOf(name: TemplateName): NewAction {
  if (name === 'order') {
    const { orderNumber, examples, notFor, answer, ...text } = texts.templates.order
    return {
      ...text,
      examples: [...examples],
      not_for: [...notFor],
      answer_template: answer,
      inputs: [{ name: 'order_number', type: 'string', required: true, ...orderNumber }],
    }
  }
  if (name === 'callback') {
    const { inputs, examples, notFor, answer, ...text } = texts.templates.callback
    return {
      ...text,
      kind: 'lead',
      examples: [...examples],
      not_for: [...notFor],
      answer_template: answer,
      inputs: [
        { name: 'name', type: 'string', required: true, ...inputs.name },
        { name: 'phone', type: 'string', required: true, ...inputs.phone },
        { name: 'message', type: 'string', required: true, ...inputs.message },
      ],
    }
  }
  return { name: '', description: '', examples: [], inputs: [] }
}

/** Where the URL of the template's request leads, to show what is expected. */
function exampleUrl(name: TemplateName): string {
  return name === 'order' ? 'https://shop.example/api/orders/{{order_number}}' : 'https://'
}
