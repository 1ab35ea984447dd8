import type { Bot } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useList } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { BotHealth } from './bot-health.tsx'

export function BotsPage() {
  const { bots: words, general } = useMessages()
  const bots = useList('GET /api/manage/v1/bots', { query: { limit: 24 } })
  const mayCreate = useMay('editor')
  const create = mayCreate && (
    <Button component={Link} to="/bots/new" leftSection={<Icon name="plus" size={18} />}>
      {words.create}
    </Button>
  )
  return (
    <Page title={words.title} about={words.about} actions={bots.items.length > 0 && create}>
      {bots.isPending ? (
        <LoadingRows />
      ) : bots.error ? (
        <Failed error={bots.error} onRetry={() => bots.refetch()} />
      ) : bots.items.length === 0 ? (
        <Empty icon="bots" title={words.emptyTitle} about={words.emptyAbout} action={create} />
      ) : (
        <ul className="grid" aria-label={words.title}>
          {bots.items.map((bot) => (
            <BotCard key={bot.id} bot={bot} />
          ))}
        </ul>
      )}
      {bots.hasNextPage && (
        <Button variant="default" loading={bots.isFetchingNextPage} onClick={() => bots.fetchNextPage()}>
          {general.more}
        </Button>
      )}
    </Page>
  )
}

function BotCard({ bot }: { bot: Bot }) {
  const { bots: words } = useMessages()
  const { documents, products } = bot.knowledge
  return (
    <li className="card bot-card">
      <div className="bot-name">
        <span className="avatar" aria-hidden="true">
          {bot.name.slice(0, 1).toUpperCase()}
        </span>
        <h2>
          <Link to={`/bots/${bot.id}`} className="row-link">
            {bot.name}
          </Link>
        </h2>
      </div>
      <p className="row-meta">
        <span>{words.documents(formatNumber(documents))}</span>
        {products > 0 && <span>{words.products(formatNumber(products))}</span>}
        <span>{bot.language.toUpperCase()}</span>
      </p>
      <BotHealth bot={bot} />
    </li>
  )
}
