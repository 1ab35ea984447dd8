import type { Bot } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiList, useApiQuery } from '../../api.ts'
import { formatNumber, formatPercent } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Figures } from '../../ui/figures.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { BotHealth } from './bot-health.tsx'
import { BotTodo, LastWeek } from './bot-todo.tsx'
import { Checklist } from './checklist.tsx'
import { IndexingProgress } from './indexing-progress.tsx'
import { Snippet } from './snippet.tsx'
import { useBot } from './use-bot.ts'

export function BotPage() {
  const { shell } = useTexts()
  const read = useBot()
  const bot = read.data
  if (read.error) return <LoadError error={read.error} onRetry={() => read.refetch()} />
  return (
    <Page
      title={bot?.name ?? '…'}
      actions={
        bot && (
          <Button component={Link} to={`/bots/${bot.id}/playground`}>
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
  const { bot: words, general } = useTexts()
  const { documents, passages, products, embedded_passages, status } = bot.knowledge
  // There is no embedding model, or none for this language.
  const isLexical = status === 'ready' && embedded_passages === 0
  const semantic = passages === 0 ? '–' : isLexical ? general.off : formatPercent(embedded_passages / passages)
  const base = `/bots/${bot.id}`
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
          { label: words.documents, value: documents },
          { label: words.passages, value: passages },
          { label: words.semanticIndex, value: semantic },
          { label: words.products, value: products },
        ]}
      />
      <LastWeek botId={bot.id} />
      <div className="halves">
        <Card title={words.embed} about={words.embedAbout}>
          <Snippet botId={bot.id} />
          <p>
            <a href="/docs/widget#ways-to-embed-it">{words.embedOther}</a>
          </p>
        </Card>
        <Card title={words.chatApi} about={words.chatApiAbout}>
          <dl className="facts">
            <dt>{words.botId}</dt>
            <dd className="inline">
              <code>{bot.id}</code>
              <CopyButton text={bot.id} />
            </dd>
            <dt>{words.model}</dt>
            <dd>{bot.language_model?.model ?? words.noModel}</dd>
          </dl>
          <div>
            <Button variant="default" component={Link} to={`${base}/settings/api`}>
              {words.toKeys}
            </Button>
          </div>
        </Card>
      </div>
    </>
  )
}

/** Problems that need attention. */
function Attention({ bot }: { bot: Bot }) {
  const { bot: words } = useTexts()
  const params = { botId: bot.id }
  const crawls = useApiList('GET /api/manage/v1/bots/{botId}/crawls', { params, query: { limit: 50 } })
  const webhooks = useApiList('GET /api/manage/v1/bots/{botId}/webhooks', { params, query: { limit: 50 } })
  const channels = useApiList('GET /api/manage/v1/bots/{botId}/notification-channels', { params })
  const failed = crawls.items.filter(({ state }) => state === 'failed')
  const broken = [
    ...webhooks.items.map((each) => ({ ...each, title: each.url, screen: 'integrations' })),
    ...channels.items.map((each) => ({ ...each, title: each.name, screen: 'notifications' })),
  ].filter(({ state, disabled_reason }) => state === 'failing' || (disabled_reason && disabled_reason !== 'manual'))
  const usage = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/model-usage',
    { params, query: { days: 1 } },
    { enabled: bot.language_model !== null },
  )
  const model = usage.data?.total.failed ? usage.data.total : null
  if (failed.length + broken.length === 0 && !model) return null
  return (
    <Notice tone="warn" title={words.attention}>
      <ul className="plain-list">
        {failed.map(({ id, url }) => (
          <li key={id}>
            <Link to={`/bots/${bot.id}/knowledge/websites/${id}`}>{words.crawlFailed(url)}</Link>
          </li>
        ))}
        {model && (
          <li>
            <Link to={`/bots/${bot.id}/settings/model`}>
              {words.modelFailing(formatNumber(model.failed), formatNumber(model.calls))}
            </Link>
          </li>
        )}
        {broken.map(({ id, title, screen, state }) => (
          <li key={id}>
            <Link to={`/bots/${bot.id}/settings/${screen}`}>
              {state === 'failing' ? words.webhookFailing(title) : words.webhookDisabled(title)}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
