import type { Bot } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiList, useApiQuery } from '../../api.ts'
import { formatNumber, formatPercent } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Figures } from '../../ui/figures.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { lastDays } from '../analytics/period.ts'
import { Totals } from '../analytics/totals.tsx'
import { useAnalytics } from '../analytics/use-analytics.ts'
import { BotHealth } from './bot-health.tsx'
import { Checklist } from './checklist.tsx'
import { IndexingProgress } from './indexing-progress.tsx'
import { Snippet } from './snippet.tsx'
import { useBot } from './use-bot.ts'

const POLL_MS = 20_000
const MAX_COUNTED = 50

export function BotPage() {
  const { shell } = useTexts()
  const botQuery = useBot()
  const bot = botQuery.data
  if (botQuery.error) return <LoadError error={botQuery.error} onRetry={() => botQuery.refetch()} />
  return (
    <Page
      title={bot?.name ?? '…'}
      actions={
        bot && (
          <Button component={Link} to={screenPath('playground', { botId: bot.id })}>
            {shell.playground}
          </Button>
        )
      }
    >
      {bot ? <Overview bot={bot} /> : <LoadingRows />}
    </Page>
  )
}

function Overview({ bot }: { bot: Bot }) {
  const { bot: texts, general } = useTexts()
  const { documents, passages, products, embedded_passages, status } = bot.knowledge
  // There is no embedding model, or none for this language.
  const isLexical = status === 'ready' && embedded_passages === 0
  const semantic = passages === 0 ? '–' : isLexical ? general.off : formatPercent(embedded_passages / passages)
  return (
    <>
      <div className="inline">
        <BotHealth bot={bot} />
        <BotTodo botId={bot.id} />
      </div>
      <Attention bot={bot} />
      <Checklist bot={bot} />
      <IndexingProgress bot={bot} />
      <Figures
        figures={[
          { label: texts.documents, value: documents },
          { label: texts.passages, value: passages },
          { label: texts.semanticIndex, value: semantic },
          { label: texts.products, value: products },
        ]}
      />
      <LastWeek botId={bot.id} />
      <div className="halves">
        <Card title={texts.embed} about={texts.embedAbout}>
          <Snippet botId={bot.id} />
          <p>
            <a href="/docs/widget#ways-to-embed-it">{texts.embedOther}</a>
          </p>
        </Card>
        <Card title={texts.chatApi} about={texts.chatApiAbout}>
          <dl className="facts">
            <dt>{texts.botId}</dt>
            <dd className="inline">
              <code>{bot.id}</code>
              <CopyButton text={bot.id} />
            </dd>
            <dt>{texts.model}</dt>
            <dd>{bot.language_model?.model ?? texts.noModel}</dd>
          </dl>
          <div>
            <Button variant="default" component={Link} to={screenPath('api', { botId: bot.id })}>
              {texts.toKeys}
            </Button>
          </div>
        </Card>
      </div>
    </>
  )
}

/** Problems that need attention. */
function Attention({ bot }: { bot: Bot }) {
  const { bot: texts } = useTexts()
  const params = { botId: bot.id }
  const crawls = useApiList('GET /api/manage/v1/bots/{botId}/crawls', { params, query: { limit: 50 } })
  const webhooks = useApiList('GET /api/manage/v1/bots/{botId}/webhooks', { params, query: { limit: 50 } })
  const channels = useApiList('GET /api/manage/v1/bots/{botId}/notification-channels', { params })
  const failedCrawls = crawls.items.filter(({ state }) => state === 'failed')
  const brokenEndpoints = [
    ...webhooks.items.map((each) => ({ ...each, title: each.url, screen: 'integrations' as const })),
    ...channels.items.map((each) => ({ ...each, title: each.name, screen: 'notifications' as const })),
  ].filter(({ state, disabled_reason }) => state === 'failing' || (disabled_reason && disabled_reason !== 'manual'))
  const usage = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/model-usage',
    { params, query: { days: 1 } },
    { enabled: bot.language_model !== null },
  )
  const model = usage.data?.total.failed ? usage.data.total : null
  if (failedCrawls.length + brokenEndpoints.length === 0 && !model) return null
  return (
    <Notice tone="warn" title={texts.attention}>
      <ul className="plain-list">
        {failedCrawls.map(({ id, url }) => (
          <li key={id}>
            <Link to={screenPath('website', { ...params, crawlId: id })}>{texts.crawlFailed(url)}</Link>
          </li>
        ))}
        {model && (
          <li>
            <Link to={screenPath('languageModel', params)}>
              {texts.modelFailing(formatNumber(model.failed), formatNumber(model.calls))}
            </Link>
          </li>
        )}
        {brokenEndpoints.map(({ id, title, screen, state }) => (
          <li key={id}>
            <Link to={screenPath(screen, params)}>
              {state === 'failing' ? texts.webhookFailing(title) : texts.webhookDisabled(title)}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Waiting visitors and unanswered questions. */
function BotTodo({ botId }: { botId: string }) {
  const { health: texts } = useTexts()
  const params = { botId }
  const waiting = useApiList(
    'GET /api/manage/v1/bots/{botId}/conversations',
    { params, query: { handover: 'requested', limit: MAX_COUNTED } },
    { refetchInterval: () => POLL_MS },
  )
  const unansweredList = useApiList('GET /api/manage/v1/bots/{botId}/unanswered', {
    params,
    query: { limit: MAX_COUNTED },
  })
  const waits = waiting.items.length
  const questions = unansweredList.items.length
  return (
    <>
      {waits > 0 && (
        <Link className="status-link" to={screenPath('inbox', {})} search={{ bot: botId } as never}>
          <Status tone="bad">
            {waits === 1 ? texts.waitingOne : texts.waiting(formatCount(waits, waiting.hasNextPage))}
          </Status>
        </Link>
      )}
      {questions > 0 && (
        <Link className="status-link" to={screenPath('unanswered', { botId })}>
          <Status tone="warn">
            {questions === 1
              ? texts.unansweredOne
              : texts.unanswered(formatCount(questions, unansweredList.hasNextPage))}
          </Status>
        </Link>
      )}
    </>
  )
}

function formatCount(count: number, hasMore: boolean): string {
  return hasMore ? `${formatNumber(count)}+` : formatNumber(count)
}

/** Hidden until there is something to count. */
function LastWeek({ botId }: { botId: string }) {
  const { health: texts } = useTexts()
  const { now, before } = useAnalytics(botId, lastDays('week'))
  if (!now.data || now.data.totals.messages === 0) return null
  return (
    <Card
      title={texts.lastWeek}
      actions={<Link to={`${screenPath('analytics', { botId })}?range=week`}>{texts.toAnalytics}</Link>}
    >
      <Totals
        now={now.data.totals}
        before={before.data?.totals}
        figures={['conversations', 'resolution_rate', 'automation_rate', 'leads']}
      />
    </Card>
  )
}
