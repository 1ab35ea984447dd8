import type { Bot } from '@docent/contract'
import { NumberInput, Switch } from '@mantine/core'
import { useRead } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { Card } from '../parts/card.tsx'
import { Failed } from '../parts/failed.tsx'
import { LoadingRows } from '../parts/loading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { SettingsForm } from '../parts/settings-form.tsx'
import { Time } from '../parts/time.tsx'
import { useBot } from '../parts/use-bot.ts'
import { useDraft } from '../parts/use-draft.ts'
import { Visitors } from '../parts/visitors.tsx'
import { useMay } from '../session.ts'

const USUAL_DAYS = 90

export function PrivacyPage() {
  const { privacy: words } = useMessages()
  const read = useBot()
  const maySee = useMay('agent')
  return (
    <Page title={words.title} about={words.about}>
      {read.error ? (
        <Failed error={read.error} onRetry={() => read.refetch()} />
      ) : read.data ? (
        <>
          <Retention key={`${read.data.id}-retention`} bot={read.data} />
          <Card title={words.visitors} about={words.visitorsAbout}>
            {maySee ? <Visitors key={read.data.id} botId={read.data.id} /> : <Notice>{words.agentOnly}</Notice>}
          </Card>
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

const readRetention = ({ retention_days }: Bot) => ({ ends: retention_days > 0, days: retention_days || USUAL_DAYS })

function Retention({ bot }: { bot: Bot }) {
  const { privacy: words } = useMessages()
  const { draft, change, form } = useDraft(bot, readRetention, ({ ends, days }) => ({
    retention_days: ends ? days : 0,
  }))
  return (
    <Card split title={words.retention} about={words.retentionAbout}>
      <SettingsForm {...form}>
        <Switch
          label={words.autoDelete}
          checked={draft.ends}
          onChange={(event) => change({ ends: event.currentTarget.checked })}
        />
        {draft.ends && (
          <NumberInput
            label={words.days}
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
  const { privacy: words } = useMessages()
  const { data, error } = useRead('GET /api/manage/v1/bots/{botId}/privacy', { params: { botId } })
  if (error) return <Failed error={error} />
  if (!data) return <LoadingRows count={1} />
  return (
    <dl className="facts">
      <dt>{words.lastRun}</dt>
      <dd>
        {data.last_run_at ? (
          <>
            <Time time={data.last_run_at} />, {words.removed(data.last_removed)}
          </>
        ) : (
          words.never
        )}
      </dd>
      <dt>{words.oldest}</dt>
      <dd>{data.oldest_conversation_at ? <Time time={data.oldest_conversation_at} /> : words.none}</dd>
    </dl>
  )
}
