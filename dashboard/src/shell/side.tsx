import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBotId } from '../features/bots/use-bot.ts'
import { WaitingBadge } from '../features/inbox/waiting.tsx'
import { useMessages } from '../messages/messages.tsx'
import { Brand } from '../ui/brand.tsx'
import { Icon } from '../ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BotPicker } from './bot-picker.tsx'
import { type Screen, useScreens } from './screens.ts'

/** The way to every screen: those of the chosen bot, and those of the workspace. */
export function Side({ onSearch }: { onSearch: () => void }) {
  const { shell, palette } = useMessages()
  const botId = useBotId()
  const { bot, settings, workspace } = useScreens()
  return (
    <div className="side">
      <Link to="/bots" className="home" aria-label={shell.home}>
        <Brand />
      </Link>
      <button type="button" className="picker side-search" onClick={onSearch}>
        <Icon name="search" size={18} />
        {palette.button}
        <span className="side-keys">{isMac ? '⌘K' : 'Ctrl K'}</span>
      </button>
      <BotPicker />
      {botId && (
        <nav className="stack" aria-label={shell.botNavigation}>
          <div className="nav-group">
            {bot.map((each) => (
              <Entry key={each.to} screen={each} badge={each.to.endsWith('/inbox') && <WaitingBadge botId={botId} />} />
            ))}
          </div>
          <div className="nav-group">
            <p className="nav-title">{shell.settings}</p>
            {settings.map((each) => (
              <Entry key={each.to} screen={each} />
            ))}
          </div>
        </nav>
      )}
      <nav className="nav-group" aria-label={shell.workspaceNavigation}>
        {botId && <p className="nav-title">{shell.workspace}</p>}
        {workspace.map((each) => (
          <Entry key={each.to} screen={each} />
        ))}
      </nav>
      <div className="side-end">
        <AccountMenu />
      </div>
    </div>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

function Entry({ screen, badge }: { screen: Screen; badge?: ReactNode }) {
  const { to, icon, label, isExact = false } = screen
  return (
    <Link to={to} className="nav-link" activeOptions={{ exact: isExact, includeSearch: false }}>
      <Icon name={icon} /> {label}
      {badge}
    </Link>
  )
}
