import type { Delivery } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Modal, Select } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList, useApiMutation, useBulkMutation } from '../../api.ts'
import { toast } from '../../forms/toast.tsx'
import { useHasRole } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { Page } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { EventName, eventName } from './event-name.tsx'
import { eventTypes } from './webhook-form.tsx'

/** Kept in the URL, so that a view of the log can be shared. */
interface Filters {
  webhook?: string
  state?: Delivery['state']
  event?: Delivery['event_type']
  delivery?: string
}

const tones: Record<Delivery['state'], Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' }
const DAY_MS = 86_400_000
const POLL_MS = 2000

export function DeliveriesPage() {
  const { deliveries: texts, integrations, lists } = useTexts()
  const botId = useBotId()
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('-created_at')
  const mayReplay = useHasRole('editor')
  const replay = useBulkMutation('POST /api/manage/v1/bots/{botId}/deliveries/{deliveryId}/replay', {
    toRequest: ({ id }: Delivery) => ({ params: { botId, deliveryId: id } }),
    done: texts.replayed,
  })
  const mayRead = useHasRole('agent')
  const navigate = useNavigate()
  const filters = useSearch({ strict: false }) as Filters
  const { webhook, state, event, delivery } = filters
  const query = {
    sort: order as '-created_at',
    ...(q ? { q } : {}),
    ...(webhook ? { webhook_id: webhook } : {}),
    ...(state ? { state } : {}),
    ...(event ? { event_type: event } : {}),
  }
  const deliveries = useApiList(
    'GET /api/manage/v1/bots/{botId}/deliveries',
    { params: { botId }, query },
    { refetchInterval: (items) => ((items as Delivery[]).some((each) => each.state === 'pending') ? POLL_MS : false) },
  )
  const endpoint = ({ url, webhook_id, key }: Delivery) =>
    key ? texts.mirrorOf(key.name, key.revoked) : (url ?? webhook_id)
  const choose = (change: Filters) => {
    const search = Object.fromEntries(Object.entries({ ...filters, ...change }).filter(([, value]) => value))
    navigate({ to: screenPath('deliveries', { botId }), search, replace: true })
  }
  return (
    <Page
      title={texts.title}
      about={texts.about}
      back={{ to: screenPath('integrations', { botId }), label: integrations.title }}
      actions={<ReplayFailed botId={botId} />}
      wide
    >
      <DataList<Delivery>
        label={texts.title}
        list={deliveries}
        idOf={({ id }) => id}
        nameOf={({ event_type }) => eventName(event_type, texts)}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        isFiltered={Boolean(webhook || state || event)}
        filters={<FilterBar botId={botId} filters={filters} onChoose={choose} />}
        {...(mayRead ? { onOpen: ({ id }: Delivery) => choose({ delivery: id }) } : {})}
        columns={[
          {
            label: texts.event,
            show: ({ event_type }) => <EventName type={event_type} />,
            value: ({ event_type }) => event_type,
          },
          { label: texts.endpoint, show: endpoint, value: endpoint, isExtra: true },
          {
            label: texts.result,
            show: (each) => <Status tone={toneOf(each)}>{resultText(each, texts)}</Status>,
            value: (each) => resultText(each, texts),
          },
          {
            label: texts.attempt,
            isNumber: true,
            show: ({ attempts }) => String(attempts),
            value: ({ attempts }) => attempts,
          },
          {
            label: lists.time,
            show: (each) => (
              <>
                <Time time={each.created_at} />
                {each.state === 'pending' && each.next_attempt_at && (
                  <small className="quiet">
                    {' '}
                    <Time time={each.next_attempt_at} text={texts.nextAttempt} />
                  </small>
                )}
              </>
            ),
            value: ({ created_at }) => created_at,
            sort: 'created_at',
          },
        ]}
        bulk={mayReplay ? [{ label: texts.replay, run: replay.run, progress: replay }] : []}
        empty={<EmptyState icon="send" title={texts.emptyTitle} about={texts.emptyAbout} />}
      />
      <Modal
        opened={mayRead && delivery !== undefined}
        onClose={() => choose({ delivery: '' })}
        size="xl"
        title={texts.title}
      >
        {delivery && <DeliveryLog botId={botId} deliveryId={delivery} />}
      </Modal>
    </Page>
  )
}

/** The last response status, or the delivery's state. */
function resultText({ state, status, attempts }: Delivery, texts: Texts['deliveries']): string {
  const answer = status === null ? (attempts > 0 ? texts.noAnswer : null) : String(status)
  return [texts.state[state], answer].filter(Boolean).join(', ')
}

/** A failed delivery that will be retried is a warning. */
function toneOf({ state, attempts }: Delivery): Tone {
  return state === 'pending' && attempts > 0 ? 'warn' : tones[state]
}

interface BarProps {
  botId: string
  filters: Filters
  onChoose: (change: Filters) => void
}

function FilterBar({ botId, filters, onChoose }: BarProps) {
  const { deliveries: texts } = useTexts()
  const webhooks = useApiList('GET /api/manage/v1/bots/{botId}/webhooks', { params: { botId }, query: { limit: 50 } })
  const channels = useApiList('GET /api/manage/v1/bots/{botId}/notification-channels', { params: { botId } })
  const keys = useApiList('GET /api/manage/v1/bots/{botId}/keys', { params: { botId }, query: { limit: 200 } })
  const nameOf = (keyId: string | null) => {
    const key = keys.items.find(({ id }) => id === keyId)
    return key && texts.mirrorOf(key.name, key.state === 'revoked')
  }
  const states = Object.entries(texts.state).map(([value, label]) => ({ value, label }))
  return (
    <div className="filters">
      <Select
        aria-label={texts.anyWebhook}
        data={[
          { value: '', label: texts.anyWebhook },
          ...webhooks.items.map(({ id, url, key_id }) => ({ value: id, label: nameOf(key_id) ?? url })),
          ...channels.items.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filters.webhook ?? ''}
        onChange={(value) => onChoose({ webhook: value ?? '' })}
      />
      <Select
        aria-label={texts.anyState}
        data={[{ value: '', label: texts.anyState }, ...states]}
        value={filters.state ?? ''}
        onChange={(value) => onChoose({ state: (value ?? '') as Delivery['state'] })}
      />
      <Select
        aria-label={texts.anyEvent}
        data={[{ value: '', label: texts.anyEvent }, 'chat.mirrored', 'webhook.test', ...eventTypes]}
        value={filters.event ?? ''}
        onChange={(value) => onChoose({ event: (value ?? '') as Delivery['event_type'] })}
      />
    </div>
  )
}

function ReplayFailed({ botId }: { botId: string }) {
  const { deliveries: texts } = useTexts()
  const replay = useApiMutation('POST /api/manage/v1/bots/{botId}/deliveries/replay', {
    onDone: ({ replayed }) => toast(texts.replayedAll(replayed)),
  })
  if (!useHasRole('editor')) return null
  const since = () => new Date(Date.now() - DAY_MS).toISOString()
  return (
    <Button
      variant="default"
      title={texts.replayAllAbout}
      loading={replay.isPending}
      onClick={() => replay.mutate({ params: { botId }, body: { since: since() } })}
    >
      {texts.replayAll}
    </Button>
  )
}
