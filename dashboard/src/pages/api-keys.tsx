import type { Key } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAct, useList } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { CodeSamples } from '../parts/code-samples.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { ConnectApps } from '../parts/connect-apps.tsx'
import { Empty } from '../parts/empty.tsx'
import { shownAgo, shownDay, shownNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { KeyForm } from '../parts/key-form.tsx'
import { List } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { RotateKey } from '../parts/rotate-key.tsx'
import { RowMenu } from '../parts/row-menu.tsx'
import { Row } from '../parts/rows.tsx'
import { SecretOnce } from '../parts/secret.tsx'
import { Status, type Tone } from '../parts/status.tsx'
import { SyncKey } from '../parts/sync-key.tsx'
import { useBotId } from '../parts/use-bot.ts'
import { useMay } from '../session.ts'

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
        onMade={(key) => setMade({ title: words.syncKeyMade, secrets: [{ label: words.secret, value: key }] })}
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

interface RowGiven {
  record: Key
  mayEdit: boolean
  onEdit: () => void
  onRotate: () => void
  onRevoke: () => void
}

function KeyRow({ record, mayEdit, onEdit, onRotate, onRevoke }: RowGiven) {
  const { keys: words, general } = useMessages()
  return (
    <Row
      title={record.name}
      meta={[
        <code key="shown">
          {record.prefix}…{record.last_four}
        </code>,
        words.callsToday(shownNumber(record.calls_today), shownNumber(record.daily_limit)),
        record.last_used_at ? words.lastUsed(shownAgo(record.last_used_at)) : words.neverUsed,
        record.expires_at && words.expiresAt(shownDay(record.expires_at)),
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
