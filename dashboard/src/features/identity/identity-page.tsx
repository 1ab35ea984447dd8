import type { Bot, IdentityKey } from '@docent/contract'
import { IDENTITY_KEYS_PER_BOT } from '@docent/contract/limits'
import { Button, SegmentedControl, Switch } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { SecretDialog } from '../../forms/secret-dialog.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole, useWidgetBaseUrl } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Rows } from '../../ui/lists/list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from '../bots/use-bot.ts'
import { texts } from './identity-texts.ts'
import samples from './signing-samples.json' with { type: 'json' }

export function IdentityPage() {
  const botQuery = useBot()
  return (
    <Page title={texts.title} about={texts.about}>
      {botQuery.error ? (
        <LoadError error={botQuery.error} onRetry={() => botQuery.refetch()} />
      ) : botQuery.data ? (
        <Identity key={botQuery.data.id} bot={botQuery.data} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function Identity({ bot }: { bot: Bot }) {
  const { data, error, refetch } = useApiQuery('GET /api/manage/v1/bots/{botId}/identity-keys', {
    params: { botId: bot.id },
  })
  if (error) return <LoadError error={error} onRetry={() => refetch()} />
  if (!data) return <LoadingRows />
  const newest = data.items.at(-1)
  return (
    <>
      <Keys botId={bot.id} keys={data.items} />
      <Requirements bot={bot} hasKey={newest !== undefined} />
      <SigningSamples botId={bot.id} keyId={newest?.id ?? 'KEY_ID'} />
    </>
  )
}

function Keys({ botId, keys }: { botId: string; keys: IdentityKey[] }) {
  const mayEdit = useHasRole('editor')
  const [secrets, setSecrets] = useState<{ label: string; value: string }[] | null>(null)
  const make = useApiMutation('POST /api/manage/v1/bots/{botId}/identity-keys', {
    onDone: ({ id, key }) =>
      setSecrets([
        { label: texts.key, value: key },
        { label: texts.keyId, value: id },
      ]),
  })
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/identity-keys/{identityKeyId}', {
    toRequest: ({ id }: IdentityKey) => ({ params: { botId, identityKeyId: id } }),
    done: texts.deleted,
    title: () => texts.deleteTitle,
    about: (items) => texts.deleteAbout(items.map(({ id }) => id).join(', ')),
    action: texts.deleteKey,
  })
  const create = mayEdit && (
    <Button
      leftSection={<Icon name="plus" size={18} />}
      disabled={keys.length >= IDENTITY_KEYS_PER_BOT}
      loading={make.isPending}
      onClick={() => make.mutate({ params: { botId } })}
    >
      {texts.create}
    </Button>
  )
  return (
    <Card
      title={texts.keys}
      about={keys.length >= IDENTITY_KEYS_PER_BOT ? `${texts.keysAbout} ${texts.full}` : texts.keysAbout}
    >
      {keys.length === 0 ? (
        <EmptyState icon="key" title={texts.emptyTitle} about={texts.emptyAbout} action={create} />
      ) : (
        <>
          <Rows label={texts.keys}>
            {keys.map((key) => (
              <Row
                key={key.id}
                title={`…${key.last_four}`}
                meta={[
                  <code key="id">{key.id}</code>,
                  <Time key="created" time={key.created_at} text={(time) => `${texts.created} ${time}`} />,
                  key.last_used_at ? (
                    <Time key="used" time={key.last_used_at} text={(time) => `${texts.used} ${time}`} />
                  ) : (
                    texts.unused
                  ),
                ]}
                end={
                  mayEdit && (
                    <RowMenu
                      name={key.id}
                      actions={[
                        {
                          icon: 'trash',
                          label: texts.deleteKey,
                          onClick: () => void remove.ask([key]),
                          destroys: true,
                        },
                      ]}
                    />
                  )
                }
              />
            ))}
          </Rows>
          <div>{create}</div>
        </>
      )}
      {remove.dialog}
      <SecretDialog title={texts.madeTitle} secrets={secrets} onClose={() => setSecrets(null)} />
    </Card>
  )
}

function Requirements({ bot, hasKey }: { bot: Bot; hasKey: boolean }) {
  const { draft, change, form } = useBotDraft(
    bot,
    ({ identity }) => identity,
    (identity) => ({ identity }),
  )
  return (
    <Card split title={texts.rules} about={texts.rulesAbout}>
      <SettingsForm {...form}>
        <Switch
          label={texts.requireForActions}
          description={texts.requireForActionsHint}
          checked={draft.require_for_actions}
          onChange={(event) => change({ require_for_actions: event.currentTarget.checked })}
        />
        <Switch
          label={texts.requireForChat}
          description={texts.requireForChatHint}
          checked={draft.require_for_chat}
          onChange={(event) => change({ require_for_chat: event.currentTarget.checked })}
        />
        {draft.require_for_chat && !hasKey && <Notice tone="warn">{texts.noKey}</Notice>}
      </SettingsForm>
    </Card>
  )
}

const sampleNames = { node: 'Node', python: 'Python', php: 'PHP' } as const
type Language = keyof typeof sampleNames

function SigningSamples({ botId, keyId }: { botId: string; keyId: string }) {
  const [language, setLanguage] = useState<Language>('node')
  const base = useWidgetBaseUrl()
  return (
    <>
      <Card title={texts.sign} about={texts.signAbout}>
        <SegmentedControl
          aria-label={texts.sign}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          data={Object.entries(sampleNames).map(([value, label]) => ({ value, label }))}
        />
        <CodeBlock text={samples[language].join('\n').replace('{{key_id}}', keyId)} />
      </Card>
      <Card title={texts.embed} about={texts.embedAbout}>
        <CodeBlock
          text={`<script src="${base}/widget.js" data-bot="${botId}" data-user-token="TOKEN" async></script>`}
        />
        <CodeBlock text="Docent.identify({ token })" />
        <p className="small">
          <a href="/docs/logged-in-visitors" target="_blank" rel="noreferrer">
            {texts.guide}
          </a>
        </p>
      </Card>
    </>
  )
}
