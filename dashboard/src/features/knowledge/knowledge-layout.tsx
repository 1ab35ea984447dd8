import { screenPath } from '@docent/contract/screens'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'

type Section = 'websites' | 'files' | 'documents' | 'answers' | 'products' | 'syncs' | 'tests' | 'review'
const SECTIONS: Section[] = ['websites', 'files', 'documents', 'answers', 'products', 'syncs', 'tests', 'review']

/** The layout of the knowledge pages. */
export function KnowledgeLayout({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { knowledge: texts } = useTexts()
  const botId = useBotId()
  const tabs = useRef<HTMLElement>(null)
  // On phones, the tabs are wider than the screen.
  useEffect(() => {
    const active = tabs.current?.querySelector<HTMLElement>('[data-status="active"]')
    if (tabs.current && active) tabs.current.scrollLeft = active.offsetLeft - tabs.current.offsetLeft - 16
  }, [])
  return (
    <Page title={texts.title} about={texts.about} actions={actions}>
      <nav ref={tabs} className="tabs" aria-label={texts.title}>
        {SECTIONS.map((section) => (
          <Link
            key={section}
            to={screenPath(section, { botId })}
            className="tab"
            activeOptions={{ exact: section === 'websites', includeSearch: false }}
          >
            {texts[section]}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  )
}
