// All screens in the navigation and the search, filtered by the user's role.
import { SCREENS, screenPath } from '@docent/contract/screens'
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
  /** One entry: with a bot it shows the conversations of that one first. */
  const inboxScreen: Screen = {
    to: screenPath('inbox', {}),
    search: { bot: botId || undefined },
    icon: 'inbox',
    label: inbox.title,
  }
  const all = (screens: (Screen | false)[]) => screens.filter((each) => each !== false)
  return {
    bot: all([
      { to: screenPath('bot', { botId }), icon: 'overview', label: shell.overview, isExact: true },
      { to: screenPath('playground', { botId }), icon: 'play', label: shell.playground },
      inboxScreen,
      isAgent && { to: screenPath('leads', { botId }), icon: 'lead', label: leads.title },
      { to: screenPath('websites', { botId }), icon: 'knowledge', label: shell.knowledge },
      { to: screenPath('actions', { botId }), icon: 'run', label: general.actions },
      { to: screenPath('unanswered', { botId }), icon: 'question', label: shell.unanswered },
      { to: screenPath('analytics', { botId }), icon: 'chart', label: shell.analytics },
    ]),
    settings: all([
      { to: screenPath('settings', { botId }), icon: 'settings', label: shell.general, isExact: true },
      { to: screenPath('appearance', { botId }), icon: 'brush', label: appearance.title },
      { to: screenPath('flows', { botId }), icon: 'bolt', label: shell.flows },
      { to: screenPath('handover', { botId }), icon: 'handover', label: handover.title },
      { to: screenPath('notifications', { botId }), icon: 'bell', label: notifications.title },
      { to: screenPath('languageModel', { botId }), icon: 'model', label: shell.model },
      { to: screenPath('api', { botId }), icon: 'key', label: shell.api },
      { to: screenPath('integrations', { botId }), icon: 'webhook', label: shell.integrations },
      { to: screenPath('visitors', { botId }), icon: 'person', label: general.identity },
      { to: screenPath('privacy', { botId }), icon: 'shield', label: privacy.title },
    ]),
    /** Not in the navigation, only in the search. */
    inner: all([
      { to: screenPath('websites', { botId }), icon: 'globe', label: knowledge.websites },
      { to: screenPath('files', { botId }), icon: 'file', label: knowledge.files },
      { to: screenPath('documents', { botId }), icon: 'text', label: knowledge.documents },
      { to: screenPath('answers', { botId }), icon: 'answer', label: knowledge.answers },
      { to: screenPath('products', { botId }), icon: 'products', label: knowledge.products },
      { to: screenPath('tests', { botId }), icon: 'check', label: knowledge.tests },
      { to: screenPath('review', { botId }), icon: 'warn', label: knowledge.review },
      { to: screenPath('deliveries', { botId }), icon: 'send', label: deliveries.title },
    ]),
    workspace: all([
      { to: SCREENS.home, icon: 'home', label: shell.start, isExact: true },
      { to: SCREENS.bots, icon: 'bots', label: shell.bots, isExact: true },
      botId === '' && inboxScreen,
      { to: SCREENS.members, icon: 'people', label: shell.members, isExact: true },
      { to: SCREENS.cannedReplies, icon: 'bolt', label: team.cannedReplies },
      { to: SCREENS.usage, icon: 'workspace', label: shell.usage },
      isOwner && { to: SCREENS.audit, icon: 'audit', label: shell.audit },
      instance_owner && { to: SCREENS.instance, icon: 'instance', label: shell.instance },
    ]),
    own: all([
      isEditor && { to: SCREENS.newBot, icon: 'plus', label: shell.newBot },
      { to: SCREENS.account, icon: 'person', label: shell.account },
    ]),
  }
}
