import type { Bot, Crawl } from '@docent/contract'
import { Button } from '@mantine/core'
import { useApiList } from '../../api.ts'
import { formatNumber, languageName } from '../../text/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/lists/list.tsx'
import { CrawlFailure, CrawlProgress, isCrawlRunning } from '../websites/crawl-state.tsx'
import { IndexingProgress } from './indexing-progress.tsx'
import { texts } from './new-bot-texts.ts'

const POLL_MS = 1500
const PAGES_SHOWN = 6

interface Props {
  bot: Bot
  crawls: Crawl[]
  onAddContent: () => void
}

/** The bot as its website presents itself, and its sources as they are read. */
export function FirstSources({ bot, crawls, onAddContent }: Props) {
  const isRunning = crawls.some(isCrawlRunning)
  const documents = useApiList(
    'GET /api/manage/v1/bots/{botId}/documents',
    { params: { botId: bot.id }, query: { sort: '-updated_at', limit: PAGES_SHOWN } },
    { refetchInterval: () => (isRunning ? POLL_MS : false) },
  )
  const crawledPages = crawls.reduce((total, { pages }) => total + pages.done + pages.unchanged, 0)
  const { documents: storedDocuments, passages } = bot.knowledge
  const summary = [
    texts.pagesRead(formatNumber(crawls.length > 0 ? Math.max(crawledPages, storedDocuments) : storedDocuments)),
    texts.passages(formatNumber(passages)),
  ].join(', ')
  const { colour, logo_url } = bot.widget
  return (
    <Card
      title={texts.sourcesTitle}
      about={storedDocuments > 0 && summary}
      actions={
        <Button variant="default" size="compact-sm" onClick={onAddContent}>
          {texts.addMore}
        </Button>
      }
    >
      <div className="inline">
        {/* The policy of the dashboard allows pictures over TLS only. */}
        <Avatar name={bot.name} id={bot.id} src={logo_url?.startsWith('https:') ? logo_url : null} />
        <strong>{bot.name}</strong>
        <span className="quiet small">{languageName(bot.language)}</span>
        <svg className="swatch" viewBox="0 0 1 1" role="img" aria-label={colour}>
          <rect width="1" height="1" fill={colour} />
        </svg>
      </div>
      {crawls.map((crawl) => (
        <div key={crawl.id}>
          {isCrawlRunning(crawl) && <CrawlProgress crawl={crawl} />}
          <CrawlFailure botId={bot.id} crawl={crawl} />
        </div>
      ))}
      {!isRunning && <IndexingProgress bot={bot} />}
      {documents.items.length > 0 && (
        <Rows label={texts.sourcesTitle}>
          {documents.items.slice(0, PAGES_SHOWN).map(({ id, title, passages: count }) => (
            <Row
              key={id}
              title={title}
              end={<span className="quiet small">{texts.passages(formatNumber(count))}</span>}
            />
          ))}
        </Rows>
      )}
    </Card>
  )
}
