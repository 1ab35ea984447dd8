import type { IntegrationEventType, Webhook } from '@docent/contract'
import { Checkbox, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { namesOf } from '../../text/names-of.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EventName } from './event-name.tsx'

export const eventTypes = namesOf<IntegrationEventType>({
  'lead.created': true,
  'lead.updated': true,
  'handover.requested': true,
  'handover.accepted': true,
  'handover.closed': true,
  'conversation.started': true,
  'conversation.message': true,
  'conversation.rated': true,
  'conversation.ended': true,
  'action.completed': true,
  'action.failed': true,
})

interface Props {
  botId: string
  /** The webhook to edit, or 'new'; null closes the form. */
  edited: Webhook | 'new' | null
  onClose: () => void
  onSecret: (secret: string) => void
}

export function WebhookForm({ edited, onClose, ...props }: Props) {
  const { integrations: texts } = useTexts()
  return (
    <Modal opened={edited !== null} onClose={onClose} title={edited === 'new' ? texts.create : texts.editTitle}>
      {edited && <Fields {...props} edited={edited} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ botId, edited, onClose, onSecret }: Props & { edited: Webhook | 'new' }) {
  const { integrations: texts, general } = useTexts()
  const old = edited === 'new' ? null : edited
  const [url, setUrl] = useState(old?.url ?? '')
  const [events, setEvents] = useState<string[]>(old?.event_types ?? [...eventTypes])
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/webhooks', {
    silent: true,
    onDone: ({ secret }) => {
      onClose()
      onSecret(secret)
    },
  })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}', {
    silent: true,
    done: general.saved,
    onDone: onClose,
  })
  const body = { url: withScheme(url), event_types: eventTypes.filter((each) => events.includes(each)) }
  const submit = () =>
    old ? change.mutate({ params: { botId, webhookId: old.id }, body }) : create.mutate({ params: { botId }, body })
  const error = create.error ?? change.error
  return (
    <Form
      onCancel={onClose}
      action={old ? general.save : texts.submit}
      pending={create.isPending || change.isPending}
      error={error}
      disabled={events.length === 0}
      onSubmit={submit}
    >
      <TextInput
        label={texts.url}
        inputMode="url"
        placeholder="https://"
        required
        data-autofocus
        value={url}
        error={fieldError(error, 'url') ?? null}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={texts.events}
        value={events}
        onChange={setEvents}
        error={events.length === 0 ? texts.eventsHint : null}
      >
        <div className="checks">
          {eventTypes.map((each) => (
            <Checkbox key={each} value={each} label={<EventName type={each} />} />
          ))}
        </div>
      </Checkbox.Group>
    </Form>
  )
}
