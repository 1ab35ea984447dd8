import type { NotificationChannel, ResponseOf, Routes } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation, useApiQuery } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { type RowAction, RowMenu } from '../../ui/lists/row-menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { ChannelForm } from './channel-form.tsx'

const TEST_POLL_MS = 500

const tones: Record<NotificationChannel['state'], Tone> = { active: 'good', failing: 'bad', disabled: 'quiet' }

export function NotificationsPage() {
  const { notifications: texts, general } = useTexts()
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const [editedChannel, setEditedChannel] = useState<NotificationChannel | 'new' | null>(null)
  const [removing, setRemoving] = useState<NotificationChannel | null>(null)
  const [testDeliveryId, setTestDeliveryId] = useState<string | null>(null)
  const channels = useApiList('GET /api/manage/v1/bots/{botId}/notification-channels', { params: { botId } })
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/notification-channels/{channelId}', {
    done: general.removed,
    onDone: () => setRemoving(null),
  })
  const create = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEditedChannel('new')}>
      {texts.create}
    </Button>
  )
  return (
    <Page title={texts.title} about={texts.about} actions={channels.items.length > 0 && create}>
      <List
        label={texts.title}
        list={channels}
        empty={<EmptyState icon="bell" title={texts.emptyTitle} about={texts.emptyAbout} action={create} />}
      >
        {(channel) => (
          <ChannelRow
            key={channel.id}
            botId={botId}
            channel={channel}
            mayEdit={mayEdit}
            onEdit={() => setEditedChannel(channel)}
            onRemove={() => setRemoving(channel)}
            onTested={setTestDeliveryId}
          />
        )}
      </List>
      <ChannelForm botId={botId} edited={editedChannel} onClose={() => setEditedChannel(null)} />
      <TestResult botId={botId} deliveryId={testDeliveryId} onClose={() => setTestDeliveryId(null)} />
      <ConfirmDialog
        opened={removing !== null}
        title={texts.removeTitle}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && remove.mutate({ params: { botId, channelId: removing.id } })}
      >
        {texts.removeAbout}
      </ConfirmDialog>
    </Page>
  )
}

interface RowProps {
  botId: string
  channel: NotificationChannel
  mayEdit: boolean
  onEdit: () => void
  onRemove: () => void
  onTested: (deliveryId: string) => void
}

function ChannelRow({ botId, channel, mayEdit, onEdit, onRemove, onTested }: RowProps) {
  const { notifications: texts, integrations, general } = useTexts()
  const params = { botId, channelId: channel.id }
  const test = useApiMutation('POST /api/manage/v1/bots/{botId}/notification-channels/{channelId}/test', {
    onDone: ({ id }) => onTested(id),
  })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}', {
    done: general.saved,
  })
  const switchTo = (enabled: boolean) => change.mutate({ params, body: { enabled } })
  const { kind, name, recipients, url_hint, digest_at, quiet_hours, held, last_sent_at, disabled_reason } = channel
  const isOff = channel.state === 'disabled'
  const isManual = disabled_reason === 'manual'
  const all: (RowAction | false)[] = [
    { icon: 'pencil', label: general.edit, onClick: onEdit },
    !isOff && { icon: 'stop', label: texts.disable, onClick: () => switchTo(false) },
    { icon: 'trash', label: general.remove, onClick: onRemove, destroys: true },
  ]
  return (
    <Row
      title={name}
      to={`${screenPath('deliveries', { botId })}?webhook=${channel.id}`}
      meta={[
        name !== texts.kinds[kind] && texts.kinds[kind],
        recipients.length > 0 ? recipients.join(', ') : url_hint,
        digest_at && texts.digestOf(digest_at),
        quiet_hours.length > 0 && texts.hasQuiet,
        held > 0 && texts.held(formatNumber(held)),
        last_sent_at && <Time key="sent" time={last_sent_at} text={texts.lastSent} />,
        disabled_reason && integrations.disabledReason[disabled_reason],
      ]}
      end={
        <>
          <Status tone={isOff && !isManual ? 'bad' : tones[channel.state]}>{texts.state[channel.state]}</Status>
          {mayEdit && (
            <Button
              variant="default"
              size="xs"
              loading={isOff ? change.isPending : test.isPending}
              onClick={() => (isOff ? switchTo(true) : test.mutate({ params }))}
            >
              {isOff ? texts.enable : texts.test}
            </Button>
          )}
          {mayEdit && <RowMenu name={name} actions={all.filter((each) => each !== false)} />}
        </>
      }
    />
  )
}

type Delivery = ResponseOf<Routes['GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}']>

interface TestResultProps {
  botId: string
  /** Null closes the dialog. */
  deliveryId: string | null
  onClose: () => void
}

/** The result of a test message: delivered, or why the first attempt failed. */
function TestResult({ botId, deliveryId, onClose }: TestResultProps) {
  const { notifications: texts } = useTexts()
  return (
    <Modal opened={deliveryId !== null} onClose={onClose} title={texts.testTitle}>
      {deliveryId && <Result botId={botId} deliveryId={deliveryId} />}
    </Modal>
  )
}

function Result({ botId, deliveryId }: { botId: string; deliveryId: string }) {
  const { notifications: texts } = useTexts()
  const deliveryQuery = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}',
    { params: { botId, deliveryId } },
    { refetchInterval: (delivery) => ((delivery as Delivery).log.length === 0 ? TEST_POLL_MS : false) },
  )
  const [attempt] = deliveryQuery.data?.log ?? []
  if (!attempt) return <p role="status">{texts.testSending}</p>
  if (!attempt.error) return <Notice tone="good">{texts.testDelivered}</Notice>
  return (
    <div className="stack">
      <Notice tone="bad" title={texts.testFailed}>
        {attempt.error}
      </Notice>
      {attempt.answer && <CodeBlock text={attempt.answer} />}
    </div>
  )
}
