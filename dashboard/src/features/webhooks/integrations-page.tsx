import type { Webhook } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { SecretDialog } from '../../forms/secret-dialog.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { type RowAction, RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { WebhookForm } from './webhook-form.tsx'

const tones: Record<Webhook['state'], Tone> = { active: 'good', failing: 'bad', disabled: 'quiet' }

export function IntegrationsPage() {
  const { integrations: texts, general } = useTexts()
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const [editedWebhook, setEditedWebhook] = useState<Webhook | 'new' | null>(null)
  const [removing, setRemoving] = useState<Webhook | null>(null)
  const [newSecret, setNewSecret] = useState<{ title: string; secret: string } | null>(null)
  const webhooks = useApiList('GET /api/manage/v1/bots/{botId}/webhooks', { params: { botId } })
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/webhooks/{webhookId}', {
    done: general.removed,
    onDone: () => setRemoving(null),
  })
  const create = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEditedWebhook('new')}>
      {texts.create}
    </Button>
  )
  return (
    <Page
      title={texts.title}
      about={texts.about}
      actions={
        webhooks.items.length > 0 && (
          <>
            <Button variant="default" component={Link} to={screenPath('deliveries', { botId })}>
              {texts.log}
            </Button>
            {create}
          </>
        )
      }
    >
      <List
        label={texts.title}
        list={webhooks}
        empty={<EmptyState icon="webhook" title={texts.emptyTitle} about={texts.emptyAbout} action={create} />}
      >
        {(webhook) => (
          <WebhookRow
            key={webhook.id}
            botId={botId}
            webhook={webhook}
            mayEdit={mayEdit}
            onEdit={() => setEditedWebhook(webhook)}
            onRemove={() => setRemoving(webhook)}
            onSecret={(secret) => setNewSecret({ title: texts.rotated, secret })}
          />
        )}
      </List>
      <WebhookForm
        botId={botId}
        edited={editedWebhook}
        onClose={() => setEditedWebhook(null)}
        onSecret={(secret) => setNewSecret({ title: texts.created, secret })}
      />
      <ConfirmDialog
        opened={removing !== null}
        title={texts.removeTitle}
        action={general.remove}
        pending={remove.isPending}
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && remove.mutate({ params: { botId, webhookId: removing.id } })}
      >
        {texts.removeAbout}
      </ConfirmDialog>
      <SecretDialog
        title={newSecret?.title ?? ''}
        secrets={newSecret ? [{ label: texts.secret, value: newSecret.secret }] : null}
        onClose={() => setNewSecret(null)}
      />
    </Page>
  )
}

interface RowProps {
  botId: string
  webhook: Webhook
  mayEdit: boolean
  onEdit: () => void
  onRemove: () => void
  onSecret: (secret: string) => void
}

function WebhookRow({ botId, webhook, mayEdit, onEdit, onRemove, onSecret }: RowProps) {
  const { integrations: texts, deliveries, keys: keyTexts, general } = useTexts()
  const params = { botId, webhookId: webhook.id }
  const keys = useApiList('GET /api/manage/v1/bots/{botId}/keys', { params: { botId }, query: { limit: 200 } })
  const key = keys.items.find(({ id }) => id === webhook.key_id)
  const isRevoked = key?.state === 'revoked'
  const mirrorText = key ? deliveries.mirrorOf(key.name, isRevoked) : texts.mirrorOf
  const navigate = useNavigate()
  const log = `${screenPath('deliveries', { botId })}?webhook=${webhook.id}`
  const test = useApiMutation('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/test', {
    done: texts.tested,
    onDone: () => navigate({ to: log }),
  })
  const rotate = useApiMutation('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/rotate-secret', {
    done: texts.rotatedUntil,
    onDone: ({ secret }) => onSecret(secret),
  })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}', { done: general.saved })
  const switchTo = (enabled: boolean) => change.mutate({ params, body: { enabled } })
  const isOff = webhook.state === 'disabled'
  // A webhook disabled by hand is not a problem.
  const isManual = webhook.disabled_reason === 'manual'
  const isOwn = webhook.kind === 'integration'
  const all: (RowAction | false)[] = [
    !isOff && { icon: 'send', label: texts.test, onClick: () => test.mutate({ params }) },
    isOwn && { icon: 'pencil', label: general.edit, onClick: onEdit },
    { icon: 'lock', label: texts.rotate, onClick: () => rotate.mutate({ params }) },
    !isOff && { icon: 'stop', label: texts.disable, onClick: () => switchTo(false) },
    isOwn && { icon: 'trash', label: general.remove, onClick: onRemove, destroys: true },
  ]
  return (
    <Row
      title={webhook.url}
      to={log}
      meta={[
        webhook.kind === 'mirror' ? mirrorText : texts.eventCount(webhook.event_types.length),
        webhook.pending > 0 && texts.pending(formatNumber(webhook.pending)),
        webhook.disabled_reason && texts.disabledReason[webhook.disabled_reason],
      ]}
      end={
        <>
          {isRevoked && <Status tone="quiet">{keyTexts.state.revoked}</Status>}
          <Status tone={isOff && !isManual ? 'bad' : tones[webhook.state]}>{texts.state[webhook.state]}</Status>
          {isOff && mayEdit && (
            <Button variant="default" size="xs" loading={change.isPending} onClick={() => switchTo(true)}>
              {texts.enable}
            </Button>
          )}
          {mayEdit && <RowMenu name={webhook.url} actions={all.filter((each) => each !== false)} />}
        </>
      }
    />
  )
}
