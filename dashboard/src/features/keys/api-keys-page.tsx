import type { Key } from '@docent/contract'
import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { SecretDialog } from '../../forms/secret-dialog.tsx'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/lists/columns.ts'
import { DataList } from '../../ui/lists/data-list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
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
  const texts = useTexts()
  const { keys: words, general } = texts
  const botId = useBotId()
  const mayEdit = useHasRole('editor')
  const [edited, setEdited] = useState<Key | 'new' | null>(null)
  const [rotating, setRotating] = useState<Key | null>(null)
  const [state, setState] = useState('')
  const [made, setMade] = useState<Secrets | null>(null)
  const keys = useApiList('GET /api/manage/v1/bots/{botId}/keys', { params: { botId } })
  const matching = (items: Key[]) => items.filter((key) => state === '' || key.state === state)
  const shown = {
    ...keys,
    items: matching(keys.items),
    readAll: async (onCount?: (count: number) => void) => matching(await keys.readAll(onCount)),
  }
  const revoke = useConfirmedAction('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', {
    toRequest: ({ id }: Key) => ({ params: { botId, keyId: id } }),
    done: words.revoked,
    title: (items) => (items.length > 1 ? words.revokeTitles(items.length) : words.revokeTitle),
    about: (items) => words.revokeAbout(items.map(({ name }) => name).join(', ')),
    action: words.revoke,
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
    <Page title={words.title} about={words.about} actions={keys.items.length > 0 && create} wide>
      <DataList<Key>
        label={words.title}
        list={shown}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        isFiltered={state !== ''}
        filters={
          keys.items.length > 0 && (
            <Select
              aria-label={words.anyState}
              data={[
                { value: '', label: words.anyState },
                ...Object.entries(words.state).map(([value, label]) => ({ value, label })),
              ]}
              value={state}
              onChange={(value) => setState(value ?? '')}
            />
          )
        }
        columns={keyColumns(texts)}
        bulk={
          mayEdit
            ? [
                {
                  label: words.revoke,
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
                { icon: 'pencil', label: general.edit, onClick: () => setEdited(key) },
                { icon: 'refresh', label: words.rotate, onClick: () => setRotating(key) },
                { icon: 'trash', label: words.revoke, onClick: () => void revoke.ask([key]), destroys: true },
              ]}
            />
          )
        }
        empty={<EmptyState icon="key" title={words.emptyTitle} about={words.emptyAbout} action={create} />}
      />
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
      {revoke.dialog}
      <SecretDialog title={made?.title ?? ''} secrets={made?.secrets ?? null} onClose={() => setMade(null)} />
    </Page>
  )
}

function keyColumns({ keys: words, general, lists }: Texts): Column<Key>[] {
  return [
    {
      label: general.name,
      show: ({ name, webhook_url }) => (
        <>
          {name} {webhook_url && <small className="quiet">{words.mirrored}</small>}
        </>
      ),
      value: ({ name }) => name,
    },
    {
      label: words.secret,
      isExtra: true,
      show: (key) => <code>{maskedKey(key)}</code>,
      value: maskedKey,
    },
    {
      label: lists.status,
      show: ({ state }) => <Status tone={tones[state]}>{words.state[state]}</Status>,
      value: ({ state }) => words.state[state],
    },
    {
      label: words.calls,
      isNumber: true,
      show: ({ calls_today, daily_limit }) => words.callsOf(formatNumber(calls_today), formatNumber(daily_limit)),
      value: ({ calls_today }) => calls_today,
    },
    {
      label: words.lastUsed,
      show: ({ last_used_at }) => (last_used_at ? <Time time={last_used_at} /> : words.neverUsed),
      value: ({ last_used_at }) => last_used_at,
    },
    {
      label: words.expires,
      isExtra: true,
      show: ({ expires_at }) => (expires_at ? <Time time={expires_at} format="date" /> : '–'),
      value: ({ expires_at }) => expires_at,
    },
  ]
}

function maskedKey({ prefix, last_four }: Key): string {
  return `${prefix}…${last_four}`
}
