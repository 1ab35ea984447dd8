import type { Key } from '@docent/contract'
import { Button, Select } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { SecretDialog } from '../../forms/secret-dialog.tsx'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole, useWidgetBaseUrl } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/lists/columns.ts'
import { DataList } from '../../ui/lists/data-list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { CodeSamples, ConnectApps } from './code-samples.tsx'
import { KeyForm, RotateKey } from './key-form.tsx'

type Secrets = { title: string; secrets: { label: string; value: string }[] }
const tones: Record<Key['state'], Tone> = { active: 'good', expired: 'quiet', revoked: 'quiet' }

export function ApiKeysPage() {
  const allTexts = useTexts()
  const { keys: texts, general } = allTexts
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const [editedKey, setEditedKey] = useState<Key | 'new' | null>(null)
  const [rotating, setRotating] = useState<Key | null>(null)
  const [state, setState] = useState('')
  const [newSecrets, setNewSecrets] = useState<Secrets | null>(null)
  const keys = useApiList('GET /api/manage/v1/bots/{botId}/keys', { params: { botId } })
  const filterByState = (items: Key[]) => items.filter((key) => state === '' || key.state === state)
  const keyList = {
    ...keys,
    items: filterByState(keys.items),
    readAll: async (onCount?: (count: number) => void) => filterByState(await keys.readAll(onCount)),
  }
  const revoke = useConfirmedAction('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', {
    toRequest: ({ id }: Key) => ({ params: { botId, keyId: id } }),
    done: texts.revoked,
    title: (items) => (items.length > 1 ? texts.revokeTitles(items.length) : texts.revokeTitle),
    about: (items) => texts.revokeAbout(items.map(({ name }) => name).join(', ')),
    action: texts.revoke,
  })
  const create = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEditedKey('new')}>
      {texts.create}
    </Button>
  )
  const show = (title: string, { key, webhook_secret }: { key?: string; webhook_secret?: string }) => {
    const secrets = [
      ...(key ? [{ label: texts.secret, value: key }] : []),
      ...(webhook_secret ? [{ label: texts.webhookSecret, value: webhook_secret }] : []),
    ]
    setNewSecrets(secrets.length > 0 ? { title, secrets } : null)
  }
  return (
    <Page title={texts.title} about={texts.about} actions={keys.items.length > 0 && create} wide>
      <DataList<Key>
        label={texts.title}
        list={keyList}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        isFiltered={state !== ''}
        filters={
          keys.items.length > 0 && (
            <Select
              aria-label={texts.anyState}
              data={[
                { value: '', label: texts.anyState },
                ...Object.entries(texts.state).map(([value, label]) => ({ value, label })),
              ]}
              value={state}
              onChange={(value) => setState(value ?? '')}
            />
          )
        }
        columns={keyColumns(allTexts)}
        bulk={
          mayEdit
            ? [
                {
                  label: texts.revoke,
                  run: (items) => revoke.ask(items.filter((key) => key.state === 'active')),
                  destroys: true,
                },
              ]
            : []
        }
        actions={(key) =>
          mayEdit &&
          key.state === 'active' && (
            <RowMenu
              name={key.name}
              actions={[
                { icon: 'pencil', label: general.edit, onClick: () => setEditedKey(key) },
                { icon: 'refresh', label: texts.rotate, onClick: () => setRotating(key) },
                { icon: 'trash', label: texts.revoke, onClick: () => void revoke.ask([key]), destroys: true },
              ]}
            />
          )
        }
        empty={<EmptyState icon="key" title={texts.emptyTitle} about={texts.emptyAbout} action={create} />}
      />
      {/* Not before the keys above them, which would move them. */}
      {!keys.isPending && (
        <>
          <CodeSamples botId={botId} />
          <ConnectApps />
          <SyncKey
            botId={botId}
            onMade={(key) => setNewSecrets({ title: texts.newSyncKey, secrets: [{ label: texts.secret, value: key }] })}
          />
        </>
      )}
      <KeyForm
        botId={botId}
        edited={editedKey}
        onClose={() => setEditedKey(null)}
        onDone={(answer) => show(editedKey === 'new' ? texts.created : texts.webhookSecret, answer)}
      />
      <RotateKey
        botId={botId}
        rotated={rotating}
        onClose={() => setRotating(null)}
        onDone={(answer) => show(texts.rotated, answer)}
      />
      {revoke.dialog}
      <SecretDialog
        title={newSecrets?.title ?? ''}
        secrets={newSecrets?.secrets ?? null}
        onClose={() => setNewSecrets(null)}
      />
    </Page>
  )
}

function keyColumns({ keys: texts, general, lists }: Texts): Column<Key>[] {
  return [
    {
      label: general.name,
      show: ({ name, webhook_url }) => (
        <>
          {name} {webhook_url && <small className="quiet">{texts.mirrored}</small>}
        </>
      ),
      value: ({ name }) => name,
    },
    {
      label: texts.secret,
      isExtra: true,
      show: (key) => <code>{maskedKey(key)}</code>,
      value: maskedKey,
    },
    {
      label: lists.status,
      show: ({ state }) => <Status tone={tones[state]}>{texts.state[state]}</Status>,
      value: ({ state }) => texts.state[state],
    },
    {
      label: texts.calls,
      isNumber: true,
      show: ({ calls_today, daily_limit }) => texts.callsOf(formatNumber(calls_today), formatNumber(daily_limit)),
      value: ({ calls_today }) => calls_today,
    },
    {
      label: texts.lastUsed,
      show: ({ last_used_at }) => (last_used_at ? <Time time={last_used_at} /> : texts.neverUsed),
      value: ({ last_used_at }) => last_used_at,
    },
    {
      label: texts.expires,
      isExtra: true,
      show: ({ expires_at }) => (expires_at ? <Time time={expires_at} format="date" /> : '–'),
      value: ({ expires_at }) => expires_at,
    },
  ]
}

function maskedKey({ prefix, last_four }: Key): string {
  return `${prefix}…${last_four}`
}

/** Its place on the API page, to which Products leads. */
const SYNC_KEY = 'sync-key'

function SyncKey({ botId, onMade }: { botId: string; onMade: (key: string) => void }) {
  const { keys: texts } = useTexts()
  const mayEdit = useHasRole('editor')
  const [asking, setAsking] = useState(false)
  const make = useApiMutation('POST /api/manage/v1/bots/{botId}/sync-key', {
    onDone: ({ key }) => {
      setAsking(false)
      onMade(key)
    },
  })
  useEffect(() => {
    if (location.hash !== `#${SYNC_KEY}`) return
    // After the page has given its title the focus.
    const frame = requestAnimationFrame(() => document.getElementById(SYNC_KEY)?.scrollIntoView({ block: 'center' }))
    return () => cancelAnimationFrame(frame)
  }, [])
  const sample = `curl ${useWidgetBaseUrl()}/api/v1/chat/sync-products \\
  -H "X-Service-Key: $DOCENT_SYNC_KEY" \\
  -H "Content-Type: application/json" \\
  -d '[{"id": "1", "title": "Atlas jacket", "price": "129.00 EUR", "availability": "in_stock"}]'`
  return (
    <Card id={SYNC_KEY} title={texts.syncKey} about={texts.syncKeyAbout}>
      <CodeBlock text={sample} />
      {mayEdit && (
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {texts.createSyncKey}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={texts.createSyncKey}
        action={texts.createSyncKey}
        pending={make.isPending}
        isHarmless
        onClose={() => setAsking(false)}
        onConfirm={() => make.mutate({ params: { botId }, body: { overlap: '24h' } })}
      >
        {texts.syncKeyReplace}
      </ConfirmDialog>
    </Card>
  )
}
