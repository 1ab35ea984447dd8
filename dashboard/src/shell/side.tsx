import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useBotId } from '../features/bots/use-bot.ts'
import { WaitingBadge } from '../features/inbox/waiting.tsx'
import { useMessages } from '../messages/messages.tsx'
import { useMay, useSession } from '../session.ts'
import { Brand } from '../ui/brand.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BotPicker } from './bot-picker.tsx'

/** The way to every screen: those of the chosen bot, and those of the workspace. */
export function Side() {
  const { shell, inbox, leads, team, appearance, handover, notifications, analytics, unanswered, privacy } =
    useMessages()
  const botId = useBotId()
  const { instance_owner } = useSession()
  const maySeeLeads = useMay('agent')
  const isOwner = useMay('owner')
  const bot = `/bots/${botId}`
  const isInSettings = useRouterState({ select: ({ location }) => location.pathname.startsWith(`${bot}/settings`) })
  const workspace = (
    <>
      <Entry to="/bots" icon="bots" label={shell.bots} exact />
      <Entry to="/inbox" icon="inbox" label={team.title} badge={<WaitingBadge />} />
      <Entry to="/workspace" icon="people" label={shell.members} exact />
      <Entry to="/workspace/replies" icon="bolt" label={team.cannedReplies} />
      <Entry to="/workspace/usage" icon="workspace" label={shell.usage} />
      {isOwner && <Entry to="/workspace/audit" icon="audit" label={shell.audit} />}
      {instance_owner && <Entry to="/instance" icon="instance" label={shell.instance} />}
    </>
  )
  return (
    <div className="side">
      <Link to="/bots" className="home" aria-label={shell.home}>
        <Brand />
      </Link>
      <BotPicker />
      {botId && (
        <nav className="stack" aria-label={shell.botNavigation}>
          <div className="nav-group">
            <Entry to={bot} icon="overview" label={shell.overview} exact />
            <Entry to={`${bot}/playground`} icon="play" label={shell.playground} />
            <Entry to={`${bot}/inbox`} icon="inbox" label={inbox.title} badge={<WaitingBadge botId={botId} />} />
            {maySeeLeads && <Entry to={`${bot}/leads`} icon="lead" label={leads.title} />}
            <Entry to={`${bot}/knowledge`} icon="knowledge" label={shell.knowledge} />
            <Entry to={`${bot}/unanswered`} icon="question" label={unanswered.nav} />
            <Entry to={`${bot}/analytics`} icon="chart" label={analytics.title} />
          </div>
          <Fold title={shell.settings} isOpen={isInSettings}>
            <Entry to={`${bot}/settings`} icon="settings" label={shell.general} exact />
            <Entry to={`${bot}/settings/appearance`} icon="brush" label={appearance.title} />
            <Entry to={`${bot}/settings/people`} icon="handover" label={handover.title} />
            <Entry to={`${bot}/settings/notifications`} icon="bell" label={notifications.title} />
            <Entry to={`${bot}/settings/model`} icon="model" label={shell.model} />
            <Entry to={`${bot}/settings/api`} icon="key" label={shell.api} />
            <Entry to={`${bot}/settings/integrations`} icon="webhook" label={shell.integrations} />
            <Entry to={`${bot}/settings/privacy`} icon="shield" label={privacy.title} />
          </Fold>
        </nav>
      )}
      <nav aria-label={shell.workspaceNavigation}>
        {botId ? (
          // Both open would not fit a small screen.
          <Fold title={shell.workspace} isOpen={!isInSettings}>
            {workspace}
          </Fold>
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

/** Entries that are folded away where they are not needed. */
function Fold({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
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

interface EntryProps {
  to: string
  icon: IconName
  label: string
  exact?: boolean
  badge?: ReactNode
}

function Entry({ to, icon, label, exact = false, badge }: EntryProps) {
  return (
    <Link to={to} className="nav-link" activeOptions={{ exact, includeSearch: false }}>
      <Icon name={icon} /> {label}
      {badge}
    </Link>
  )
}
