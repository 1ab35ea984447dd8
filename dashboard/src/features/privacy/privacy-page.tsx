import type { Bot } from '@docent/contract'
import { DEFAULT_RETENTION_DAYS } from '@docent/contract/limits'
import { NumberInput, Switch } from '@mantine/core'
import { useApiQuery } from '../../api.ts'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useHasRole } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from '../bots/use-bot.ts'
import { Visitors } from './visitors.tsx'

export function PrivacyPage() {
  const { privacy: texts } = useTexts()
  const botQuery = useBot()
  const maySee = useHasRole('agent')
  return (
    <Page title={texts.title} about={texts.about}>
      {botQuery.error ? (
        <LoadError error={botQuery.error} onRetry={() => botQuery.refetch()} />
      ) : botQuery.data ? (
        <>
          <Retention key={`${botQuery.data.id}-retention`} bot={botQuery.data} />
          <Card title={texts.visitors} about={texts.visitorsAbout}>
            {maySee ? <Visitors key={botQuery.data.id} botId={botQuery.data.id} /> : <Notice>{texts.agentOnly}</Notice>}
          </Card>
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

const readRetention = ({ retention_days }: Bot) => ({
  ends: retention_days > 0,
  days: retention_days || DEFAULT_RETENTION_DAYS,
})

function Retention({ bot }: { bot: Bot }) {
  const { privacy: texts } = useTexts()
  const { draft, change, form } = useBotDraft(bot, readRetention, ({ ends, days }) => ({
    retention_days: ends ? days : 0,
  }))
  return (
    <Card split title={texts.retention} about={texts.retentionAbout}>
      <SettingsForm {...form}>
        <Switch
          label={texts.autoDelete}
          checked={draft.ends}
          onChange={(event) => change({ ends: event.currentTarget.checked })}
        />
        {draft.ends && (
          <NumberInput
            label={texts.days}
            min={1}
            max={3650}
            allowDecimal={false}
            clampBehavior="blur"
            value={draft.days}
            onChange={(value) => typeof value === 'number' && change({ days: value })}
          />
        )}
      </SettingsForm>
      <LastRun botId={bot.id} />
    </Card>
  )
}

function LastRun({ botId }: { botId: string }) {
  const { privacy: texts } = useTexts()
  const { data, error } = useApiQuery('GET /api/manage/v1/bots/{botId}/privacy', { params: { botId } })
  if (error) return <LoadError error={error} />
  if (!data) return <LoadingRows count={1} />
  return (
    <dl className="facts">
      <dt>{texts.lastRun}</dt>
      <dd>
        {data.last_run_at ? (
          <>
            <Time time={data.last_run_at} />, {texts.removed(data.last_removed)}
          </>
        ) : (
          texts.never
        )}
      </dd>
      <dt>{texts.oldest}</dt>
      <dd>{data.oldest_conversation_at ? <Time time={data.oldest_conversation_at} /> : texts.none}</dd>
    </dl>
  )
}
