import type { Bot } from '@docent/contract'
import { useApiList, useApiQuery } from '../../api.ts'
import { useSession } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Row } from '../../ui/lists/rows.tsx'
import { Page } from '../../ui/page.tsx'

const DEFAULT_LIMIT = 1000

export function UsagePage() {
  const { usage: words, bots: botWords } = useTexts()
  const workspaceId = useSession().workspace_id ?? ''
  const { data: workspace } = useApiQuery('GET /api/manage/v1/workspaces/{workspaceId}', { params: { workspaceId } })
  const bots = useApiList('GET /api/manage/v1/bots', { query: { limit: 20 } })
  const hasApi = workspace?.plan === 'business' || workspace?.plan === 'enterprise'
  return (
    <Page title={words.title}>
      <Card split title={words.plan} about={words.changeAbout}>
        {workspace && (
          <dl className="facts">
            <dt>{words.plan}</dt>
            <dd>{words.plans[workspace.plan]}</dd>
            <dt>{words.chatApi}</dt>
            <dd>{hasApi ? words.included : words.notIncluded}</dd>
            <dt>{words.dailyLimit}</dt>
            <dd className="number">{formatNumber(workspace.daily_limit ?? DEFAULT_LIMIT)}</dd>
          </dl>
        )}
      </Card>
      <Card title={words.today}>
        <List
          label={words.today}
          list={bots}
          empty={<EmptyState icon="bots" title={botWords.emptyTitle} about={botWords.emptyAbout} />}
        >
          {(bot) => <BotUsage key={bot.id} bot={bot} />}
        </List>
      </Card>
    </Page>
  )
}

function BotUsage({ bot }: { bot: Bot }) {
  const { usage: words } = useTexts()
  const keys = useApiList('GET /api/manage/v1/bots/{botId}/keys', { params: { botId: bot.id }, query: { limit: 200 } })
  const active = keys.items.filter(({ state }) => state === 'active')
  const calls = keys.items.reduce((sum, { calls_today }) => sum + calls_today, 0)
  return (
    <Row
      title={bot.name}
      to={`/bots/${bot.id}/settings/api`}
      meta={[active.length > 0 ? words.keyCount(active.length) : words.noKeys]}
      end={<span className="number">{words.calls(formatNumber(calls))}</span>}
    />
  )
}
