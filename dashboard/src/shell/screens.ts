// All screens in the navigation and the search, filtered by the user's role.
import { useHasRole, useSession } from '../session.ts'
import { useTexts } from '../texts/texts.tsx'
import type { IconName } from '../ui/icon.tsx'

export interface Screen {
  to: string
  search?: { bot: string | undefined }
  icon: IconName
  label: string
  /** Match the exact path, because other screens start with it. */
  isExact?: boolean
}

/** Without a bot, only those of the workspace lead anywhere. */
export function useScreens(botId: string) {
  const { shell, inbox, leads, appearance, handover, notifications, privacy, knowledge } = useTexts()
  const { deliveries, team, general } = useTexts()
  const { instance_owner } = useSession()
  const isAgent = useHasRole('agent')
  const isEditor = useHasRole('editor')
  const isOwner = useHasRole('owner')
  const bot = `/bots/${botId}`
  /** One entry: with a bot it shows the conversations of that one first. */
  const inboxScreen: Screen = { to: '/inbox', search: { bot: botId || undefined }, icon: 'inbox', label: inbox.title }
  const all = (screens: (Screen | false)[]) => screens.filter((each) => each !== false)
  return {
    bot: all([
      { to: bot, icon: 'overview', label: shell.overview, isExact: true },
      { to: `${bot}/playground`, icon: 'play', label: shell.playground },
      inboxScreen,
      isAgent && { to: `${bot}/leads`, icon: 'lead', label: leads.title },
      { to: `${bot}/knowledge`, icon: 'knowledge', label: shell.knowledge },
      { to: `${bot}/actions`, icon: 'run', label: general.actions },
      { to: `${bot}/unanswered`, icon: 'question', label: shell.unanswered },
      { to: `${bot}/analytics`, icon: 'chart', label: shell.analytics },
    ]),
    settings: all([
      { to: `${bot}/settings`, icon: 'settings', label: shell.general, isExact: true },
      { to: `${bot}/settings/appearance`, icon: 'brush', label: appearance.title },
      { to: `${bot}/settings/flows`, icon: 'bolt', label: shell.flows },
      { to: `${bot}/settings/people`, icon: 'handover', label: handover.title },
      { to: `${bot}/settings/notifications`, icon: 'bell', label: notifications.title },
      { to: `${bot}/settings/model`, icon: 'model', label: shell.model },
      { to: `${bot}/settings/api`, icon: 'key', label: shell.api },
      { to: `${bot}/settings/integrations`, icon: 'webhook', label: shell.integrations },
      { to: `${bot}/settings/visitors`, icon: 'person', label: general.identity },
      { to: `${bot}/settings/privacy`, icon: 'shield', label: privacy.title },
    ]),
    /** Not in the navigation, only in the search. */
    inner: all([
      { to: `${bot}/knowledge`, icon: 'globe', label: knowledge.websites },
      { to: `${bot}/knowledge/files`, icon: 'file', label: knowledge.files },
      { to: `${bot}/knowledge/documents`, icon: 'text', label: knowledge.documents },
      { to: `${bot}/knowledge/answers`, icon: 'answer', label: knowledge.answers },
      { to: `${bot}/knowledge/products`, icon: 'products', label: knowledge.products },
      { to: `${bot}/knowledge/tests`, icon: 'check', label: knowledge.tests },
      { to: `${bot}/knowledge/review`, icon: 'warn', label: knowledge.review },
      { to: `${bot}/settings/deliveries`, icon: 'send', label: deliveries.title },
    ]),
    workspace: all([
      { to: '/', icon: 'home', label: shell.start, isExact: true },
      { to: '/bots', icon: 'bots', label: shell.bots, isExact: true },
      botId === '' && inboxScreen,
      { to: '/workspace', icon: 'people', label: shell.members, isExact: true },
      { to: '/workspace/replies', icon: 'bolt', label: team.cannedReplies },
      { to: '/workspace/usage', icon: 'workspace', label: shell.usage },
      isOwner && { to: '/workspace/audit', icon: 'audit', label: shell.audit },
      instance_owner && { to: '/instance', icon: 'instance', label: shell.instance },
    ]),
    own: all([
      isEditor && { to: '/bots/new', icon: 'plus', label: shell.newBot },
      { to: '/account', icon: 'person', label: shell.account },
    ]),
  }
}
