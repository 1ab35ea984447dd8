import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages.tsx'
import { Page } from './page.tsx'
import { useBotId } from './use-bot.ts'

type Place = 'websites' | 'files' | 'documents' | 'answers' | 'products' | 'syncs'
const places: Place[] = ['websites', 'files', 'documents', 'answers', 'products', 'syncs']

/** The frame of the screens about what a bot knows. */
export function Knowledge({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { knowledge: words } = useMessages()
  const base = `/bots/${useBotId()}/knowledge`
  return (
    <Page title={words.title} about={words.about} actions={actions}>
      <nav className="tabs" aria-label={words.title}>
        {places.map((place) => (
          <Link
            key={place}
            to={place === 'websites' ? base : `${base}/${place}`}
            className="tab"
            activeOptions={{ exact: place === 'websites', includeSearch: false }}
          >
            {words[place]}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  )
}
