import type { Home } from '@docent/contract'
import { SCREENS, screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../api.ts'
import { useHasRole, useSession } from '../../session.ts'
import { browserTimezone } from '../../text/time-zones.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { AskedCard, AttentionCard } from './asked.tsx'
import { texts } from './home-texts.ts'
import { UnansweredCard } from './unanswered.tsx'
import { WaitingCard } from './waiting.tsx'
import { WeekCard } from './week.tsx'

const POLL_MS = 20_000

/** What needs attention, over all bots. It is read in one request, so that nothing moves while it loads. */
export function HomePage() {
  const workspaceId = useWorkspaceId()
  const { account } = useSession()
  const homeQuery = useApiQuery(
    'GET /api/manage/v1/workspaces/{workspaceId}/home',
    { params: { workspaceId }, query: { timezone: browserTimezone() } },
    { enabled: workspaceId !== '', refetchInterval: () => POLL_MS },
  )
  const home = homeQuery.data
  return (
    <Page wide title={greeting(account.name)} actions={home && !isNew(home) && <NewBot />}>
      {homeQuery.error && !home ? (
        <LoadError error={homeQuery.error} onRetry={() => homeQuery.refetch()} />
      ) : !home ? (
        <LoadingRows count={6} />
      ) : (
        <>
          {isNew(home) && <FirstBot bots={home.bots} />}
          {!(isNew(home) && isUnused(home)) && <Cards home={home} />}
        </>
      )}
    </Page>
  )
}

function Cards({ home }: { home: Home }) {
  const [only, ...others] = home.bots
  // With one bot, its name on every row would say nothing.
  const names = new Map(others.length === 0 ? [] : home.bots.map(({ id, name }) => [id, name]))
  const bot = others.length === 0 ? only : undefined
  const { totals, before } = home.week
  return (
    <div className="home-grid">
      <div className="home-column">
        <WaitingCard waiting={home.waiting} names={names} />
        <UnansweredCard
          topics={home.unanswered}
          names={names}
          bot={bot}
          isQuiet={totals.conversations + before.conversations === 0}
        />
      </div>
      <div className="home-column">
        <WeekCard week={home.week} bots={home.bots} />
        <AttentionCard attention={home.attention} names={names} />
        <AskedCard questions={home.questions} names={names} />
      </div>
    </div>
  )
}

/** Whether nobody has made a bot here. */
function isNew({ bots }: Home): boolean {
  return bots.every(({ demo_page }) => demo_page !== null)
}

function isUnused({ waiting, week }: Home): boolean {
  return waiting.count + week.totals.conversations + week.before.conversations === 0
}

function greeting(name: string): string {
  const hour = new Date().getHours()
  const [first = ''] = name.split(' ')
  if (!first) return texts.title
  if (hour >= 4 && hour < 12) return texts.morning(first)
  return hour >= 12 && hour < 18 ? texts.afternoon(first) : texts.evening(first)
}

/** What a workspace without a bot of its own begins with. */
function FirstBot({ bots }: { bots: Home['bots'] }) {
  const mayCreate = useHasRole('editor')
  return (
    <>
      <EmptyState
        icon="bots"
        title={texts.emptyTitle}
        about={mayCreate ? texts.emptyAbout : texts.emptyForViewers}
        action={<NewBot />}
      />
      {bots.length > 0 && <DemoBots bots={bots} />}
    </>
  )
}

function DemoBots({ bots }: { bots: Home['bots'] }) {
  const shopFirst = bots.toSorted((a, b) => Number(b.demo_page === '/demo') - Number(a.demo_page === '/demo'))
  return (
    <Card title={texts.demo} about={texts.demoAbout}>
      <ul className="home-rows">
        {shopFirst.map(({ id, name, demo_page }) => (
          <li key={id} className="home-demo">
            <span className="avatar" aria-hidden="true">
              {name.slice(0, 1).toUpperCase()}
            </span>
            <div className="home-row">
              <Link className="home-question" to={screenPath('bot', { botId: id })}>
                {name}
              </Link>
              <span className="quiet small">{demo_page === '/demo' ? texts.demoShopAbout : texts.guidesAbout}</span>
            </div>
            <Button size="xs" variant="light" component="a" href={demo_page ?? ''} target="_blank" rel="noreferrer">
              {demo_page === '/demo' ? texts.demoShop : texts.guides}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function NewBot() {
  const { bots } = useTexts()
  if (!useHasRole('editor')) return null
  return (
    <Button component={Link} to={SCREENS.newBot} leftSection={<Icon name="plus" size={18} />}>
      {bots.create}
    </Button>
  )
}
