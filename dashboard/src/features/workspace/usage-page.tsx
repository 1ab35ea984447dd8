import type { Bot } from '@docent/contract'
import { DEFAULT_DAILY_LIMIT } from '@docent/contract/limits'
import { screenPath } from '@docent/contract/screens'
import { useApiList, useApiQuery } from '../../api.ts'
import { useSession } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { Page } from '../../ui/page.tsx'

export function UsagePage() {
  const { usage: texts, bots: botTexts } = useTexts()
  const workspaceId = useSession().workspace_id ?? ''
  const limits = useApiQuery('GET /api/manage/v1/workspaces/{workspaceId}', { params: { workspaceId } })
  const workspace = limits.data
  const bots = useApiList('GET /api/manage/v1/bots', { query: { limit: 20 } })
  const hasApi = workspace?.plan === 'business'
  return (
    <Page title={texts.title}>
      <Card split title={texts.limits} about={texts.changeAbout}>
        {workspace && (
          <dl className="facts">
            {/* Enterprise is everything: on one's own server there are no plans to speak of. */}
            {workspace.plan !== 'enterprise' && (
              <>
                <dt>{texts.plan}</dt>
                <dd>{texts.plans[workspace.plan]}</dd>
                <dt>{texts.chatApi}</dt>
                <dd>{hasApi ? texts.included : texts.notIncluded}</dd>
              </>
            )}
            <dt>{texts.dailyLimit}</dt>
            <dd className="number">{formatNumber(workspace.daily_limit ?? DEFAULT_DAILY_LIMIT)}</dd>
          </dl>
        )}
      </Card>
      {/* Not before the limits above it, which would move it. */}
      {!limits.isPending && (
        <Card title={texts.today}>
          <List
            label={texts.today}
            list={bots}
            empty={<EmptyState icon="bots" title={botTexts.emptyTitle} about={botTexts.emptyAbout} />}
          >
            {(bot) => <BotUsage key={bot.id} bot={bot} />}
          </List>
        </Card>
      )}
    </Page>
  )
}

function BotUsage({ bot }: { bot: Bot }) {
  const { usage: texts } = useTexts()
  const keys = useApiList('GET /api/manage/v1/bots/{botId}/keys', { params: { botId: bot.id }, query: { limit: 200 } })
  const active = keys.items.filter(({ state }) => state === 'active')
  const calls = keys.items.reduce((sum, { calls_today }) => sum + calls_today, 0)
  return (
    <Row
      title={bot.name}
      to={screenPath('api', { botId: bot.id })}
      meta={[active.length > 0 ? texts.keyCount(active.length) : texts.noKeys]}
      end={<span className="number">{texts.calls(formatNumber(calls))}</span>}
    />
  )
}
