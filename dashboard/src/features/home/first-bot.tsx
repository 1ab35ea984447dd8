import type { Home } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useHasRole } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { texts } from './home-texts.ts'

/** What a workspace without a bot of its own begins with. */
export function FirstBot({ bots }: { bots: Home['bots'] }) {
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
              <Link className="home-question" to={`/bots/${id}`}>
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

export function NewBot() {
  const { bots } = useTexts()
  if (!useHasRole('editor')) return null
  return (
    <Button component={Link} to="/bots/new" leftSection={<Icon name="plus" size={18} />}>
      {bots.create}
    </Button>
  )
}
