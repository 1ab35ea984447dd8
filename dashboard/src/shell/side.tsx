import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
          <div className="nav-group">
            <p className="nav-title">{shell.settings}</p>
            <Entry to={`${bot}/settings`} icon="settings" label={shell.general} exact />
            <Entry to={`${bot}/settings/appearance`} icon="brush" label={appearance.title} />
            <Entry to={`${bot}/settings/people`} icon="handover" label={handover.title} />
            <Entry to={`${bot}/settings/notifications`} icon="bell" label={notifications.title} />
            <Entry to={`${bot}/settings/model`} icon="model" label={shell.model} />
            <Entry to={`${bot}/settings/api`} icon="key" label={shell.api} />
            <Entry to={`${bot}/settings/integrations`} icon="webhook" label={shell.integrations} />
            <Entry to={`${bot}/settings/privacy`} icon="shield" label={privacy.title} />
          </div>
        </nav>
      )}
      <nav className="nav-group" aria-label={shell.workspaceNavigation}>
        {botId && <p className="nav-title">{shell.workspace}</p>}
        <Entry to="/bots" icon="bots" label={shell.bots} exact />
        <Entry to="/inbox" icon="inbox" label={team.title} badge={<WaitingBadge />} />
        <Entry to="/workspace" icon="people" label={shell.members} exact />
        <Entry to="/workspace/replies" icon="bolt" label={team.cannedReplies} />
        <Entry to="/workspace/usage" icon="workspace" label={shell.usage} />
        {isOwner && <Entry to="/workspace/audit" icon="audit" label={shell.audit} />}
        {instance_owner && <Entry to="/instance" icon="instance" label={shell.instance} />}
      </nav>
      <div className="side-end">
        <AccountMenu />
      </div>
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
