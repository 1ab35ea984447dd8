import { SCREENS, screenPath } from '@docent/contract/screens'
import { Menu } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useApiList } from '../api.ts'
import { useBot, useBotId } from '../features/bots/use-bot.ts'
import { WaitingBadge } from '../features/inbox/waiting.tsx'
import { useTexts } from '../texts/texts.tsx'
import { Brand } from '../ui/brand.tsx'
import { Icon } from '../ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { type Screen, useScreens } from './navigation.ts'

const INBOX = screenPath('inbox', {})

/** The navigation for the current bot and the workspace. */
export function Sidebar({ onSearch, isBotMissing }: { onSearch: () => void; isBotMissing: boolean }) {
  const { shell, palette } = useTexts()
  const namedId = useBotId()
  const botId = isBotMissing ? '' : namedId
  const screens = useScreens(botId)
  const isInSettings = useRouterState({
    select: ({ location }) => location.pathname.startsWith(screenPath('settings', { botId })),
  })
  const workspace = screens.workspace.map((each) => (
    <NavLink key={each.to} screen={each} badge={each.to === INBOX && <WaitingBadge />} />
  ))
  return (
    <div className="side">
      <Link to="/" className="home" aria-label={shell.home}>
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
            {screens.bot.map((each) => (
              <NavLink key={each.to} screen={each} badge={each.to === INBOX && <WaitingBadge />} />
            ))}
          </div>
          <NavGroup title={shell.settings} isOpen={isInSettings}>
            {screens.settings.map((each) => (
              <NavLink key={each.to} screen={each} />
            ))}
          </NavGroup>
        </nav>
      )}
      <nav aria-label={shell.workspaceNavigation}>
        {botId ? (
          // Both open would not fit on a small screen.
          <NavGroup title={shell.workspace} isOpen={!isInSettings}>
            {workspace}
          </NavGroup>
        ) : (
          <div className="nav-group">{workspace}</div>
        )}
      </nav>
      <div className="side-end">
        <AccountMenu />
      </div>
    </div>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** A collapsible group of links. */
function NavGroup({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(isOpen)
  useEffect(() => setOpen(isOpen), [isOpen])
  return (
    <div className="nav-group">
      <button type="button" className="nav-title" aria-expanded={open} onClick={() => setOpen(!open)}>
        {title}
        <Icon name={open ? 'up' : 'down'} size={14} />
      </button>
      {open && children}
    </div>
  )
}

function NavLink({ screen, badge }: { screen: Screen; badge?: ReactNode }) {
  const { to, search, icon, label, isExact = false } = screen
  const activeOptions = { exact: isExact, includeSearch: false }
  return (
    <Link to={to} search={search as never} className="nav-link" activeOptions={activeOptions}>
      <Icon name={icon} /> {label}
      {badge}
    </Link>
  )
}

/** Switches between bots; hidden on screens without a bot. */
function BotPicker() {
  const { shell } = useTexts()
  const botId = useBotId()
  const { data: bot } = useBot()
  const { items } = useApiList('GET /api/manage/v1/bots', { query: { limit: 50 } })
  if (!botId) return null
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <button type="button" className="picker">
          <span className="avatar" aria-hidden="true">
            {(bot?.name ?? '…').slice(0, 1).toUpperCase()}
          </span>
          <span>
            <small>{shell.bot}</small>
            <strong>{bot?.name ?? '…'}</strong>
          </span>
          <Icon name="updown" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={screenPath('bot', { botId: id })}
            {...(id === botId ? { 'aria-current': true } : {})}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={SCREENS.newBot} leftSection={<Icon name="plus" size={16} />}>
          {shell.newBot}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
