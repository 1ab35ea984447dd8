import type { Key } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAct, useList } from '../../api.ts'
import { Confirm } from '../../forms/confirm.tsx'
import { SecretOnce } from '../../forms/secret.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Row } from '../../ui/rows.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { CodeSamples } from './code-samples.tsx'
import { ConnectApps } from './connect-apps.tsx'
import { KeyForm } from './key-form.tsx'
import { RotateKey } from './rotate-key.tsx'
import { SyncKey } from './sync-key.tsx'

type Secrets = { title: string; secrets: { label: string; value: string }[] }
const tones: Record<Key['state'], Tone> = { active: 'good', expired: 'quiet', revoked: 'quiet' }

export function ApiKeysPage() {
  const { keys: words } = useMessages()
  const botId = useBotId()
  const mayEdit = useMay('editor')
  const [edited, setEdited] = useState<Key | 'new' | null>(null)
  const [rotating, setRotating] = useState<Key | null>(null)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [made, setMade] = useState<Secrets | null>(null)
  const keys = useList('GET /api/manage/v1/bots/{botId}/keys', { params: { botId } })
  const revoke = useAct('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', {
    done: words.revoked,
    onDone: () => setRevoking(null),
  })
  const create = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEdited('new')}>
      {words.create}
    </Button>
  )
  const show = (title: string, { key, webhook_secret }: { key?: string; webhook_secret?: string }) => {
    const secrets = [
      ...(key ? [{ label: words.secret, value: key }] : []),
      ...(webhook_secret ? [{ label: words.webhookSecret, value: webhook_secret }] : []),
    ]
    setMade(secrets.length > 0 ? { title, secrets } : null)
  }
  return (
    <Page title={words.title} about={words.about} actions={keys.items.length > 0 && create}>
      <List
        label={words.title}
        list={keys}
        empty={<Empty icon="key" title={words.emptyTitle} about={words.emptyAbout} action={create} />}
      >
        {(key) => (
          <KeyRow
            key={key.id}
            record={key}
            mayEdit={mayEdit}
            onEdit={() => setEdited(key)}
            onRotate={() => setRotating(key)}
            onRevoke={() => setRevoking(key)}
          />
        )}
      </List>
      <CodeSamples botId={botId} />
      <ConnectApps botId={botId} />
      <SyncKey
        botId={botId}
        onMade={(key) => setMade({ title: words.newSyncKey, secrets: [{ label: words.secret, value: key }] })}
      />
      <KeyForm
        botId={botId}
        edited={edited}
        onClose={() => setEdited(null)}
        onDone={(answer) => show(edited === 'new' ? words.created : words.webhookSecret, answer)}
      />
      <RotateKey
        botId={botId}
        rotated={rotating}
        onClose={() => setRotating(null)}
        onDone={(answer) => show(words.rotated, answer)}
      />
      <Confirm
        opened={revoking !== null}
        title={words.revokeTitle}
        action={words.revoke}
        pending={revoke.isPending}
        onClose={() => setRevoking(null)}
        onConfirm={() => revoking && revoke.mutate({ params: { botId, keyId: revoking.id } })}
      >
        {words.revokeAbout(revoking?.name ?? '')}
      </Confirm>
      <SecretOnce title={made?.title ?? ''} secrets={made?.secrets ?? null} onClose={() => setMade(null)} />
    </Page>
  )
}

interface RowProps {
  record: Key
  mayEdit: boolean
  onEdit: () => void
  onRotate: () => void
  onRevoke: () => void
}

function KeyRow({ record, mayEdit, onEdit, onRotate, onRevoke }: RowProps) {
  const { keys: words, general } = useMessages()
  return (
    <Row
      title={record.name}
      meta={[
        <code key="shown">
          {record.prefix}…{record.last_four}
        </code>,
        words.callsToday(formatNumber(record.calls_today), formatNumber(record.daily_limit)),
        record.last_used_at ? <Time key="used" time={record.last_used_at} text={words.lastUsed} /> : words.neverUsed,
        record.expires_at && <Time key="expires" time={record.expires_at} format="date" text={words.expiresAt} />,
        record.webhook_url && words.mirrored,
      ]}
      end={
        <>
          <Status tone={tones[record.state]}>{words.state[record.state]}</Status>
          {mayEdit && record.state === 'active' && (
            <RowMenu
              of={record.name}
              actions={[
                { icon: 'pencil', label: general.edit, onClick: onEdit },
                { icon: 'refresh', label: words.rotate, onClick: onRotate },
                { icon: 'trash', label: words.revoke, onClick: onRevoke, destroys: true },
              ]}
            />
          )}
        </>
      }
    />
  )
}
