import type { Bot } from '@docent/contract'
import { useApiList } from '../../api.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Status } from '../../ui/status.tsx'

/** A short status of the bot; problems come first. */
export function BotHealth({ bot }: { bot: Bot }) {
  const { bots: texts } = useTexts()
  const params = { botId: bot.id }
  const crawls = useApiList('GET /api/manage/v1/bots/{botId}/crawls', { params, query: { limit: 50 } })
  const webhooks = useApiList('GET /api/manage/v1/bots/{botId}/webhooks', { params, query: { limit: 50 } })
  const failedCrawl = crawls.items.some(({ state }) => state === 'failed')
  const failingWebhook = webhooks.items.some(
    ({ state, disabled_reason }) => state === 'failing' || (state === 'disabled' && disabled_reason !== 'manual'),
  )
  const running = crawls.items.find(({ state }) => state === 'running' || state === 'queued')
  const { documents, products, status } = bot.knowledge
  return (
    <div className="inline">
      {running && (
        <Status tone="busy">{texts.crawling(running.pages.found - running.pages.waiting, running.pages.found)}</Status>
      )}
      {documents + products === 0 ? (
        !running && <Status tone="warn">{texts.noContent}</Status>
      ) : status === 'indexing' ? (
        <Status tone="busy">{texts.indexing}</Status>
      ) : (
        <Status tone="good">{texts.ready}</Status>
      )}
      {failedCrawl && <Status tone="bad">{texts.crawlFailed}</Status>}
      {failingWebhook && <Status tone="bad">{texts.webhookFailing}</Status>}
    </div>
  )
}
