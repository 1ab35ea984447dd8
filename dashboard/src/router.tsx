// All screens, each loaded on demand.
import type { Session } from '@docent/contract'
import { SCREENS, screenPath } from '@docent/contract/screens'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { apiQuery, queryClient } from './api.ts'
import { isError } from './client.ts'
import { sessionQuery } from './session.ts'
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx'
import { loadWhenReachable } from './shell/load-screen.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ notFoundComponent: NotFoundPage })

const publicPages = [
  route(SCREENS.logIn, () => import('./features/auth/log-in-page.tsx'), 'LogInPage'),
  route(SCREENS.setUp, () => import('./features/auth/set-up-page.tsx'), 'SetUpPage'),
  route(SCREENS.invitation, () => import('./features/auth/invitation-page.tsx'), 'InvitationPage'),
  route(SCREENS.email, () => import('./features/auth/email-page.tsx'), 'EmailPage'),
  route(SCREENS.reset, () => import('./features/auth/reset-page.tsx'), 'ResetPage'),
]

/** Asked for before the router does. A failed request is not in the cache, and would be sent again. */
let firstSession: Promise<Session> | undefined

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      const session = firstSession ?? queryClient.ensureQueryData(sessionQuery)
      firstSession = undefined
      await session
    } catch (error) {
      if (!isError(error, 'invalid_management_token')) throw error
      const { needed } = await queryClient.fetchQuery(apiQuery('GET /api/manage/v1/setup', {}))
      if (needed) throw redirect({ to: SCREENS.setUp })
      throw redirect({ to: SCREENS.logIn, search: location.pathname === SCREENS.home ? {} : { next: location.href } })
    }
  },
})

const screens = [
  screen(SCREENS.home, () => import('./features/home/home-page.tsx'), 'HomePage'),
  screen(SCREENS.bots, () => import('./features/bots/bots-page.tsx'), 'BotsPage'),
  screen(SCREENS.newBot, () => import('./features/bots/new-bot-page.tsx'), 'NewBotPage'),
  screen(SCREENS.bot, () => import('./features/bots/bot-page.tsx'), 'BotPage'),
  screen(SCREENS.playground, () => import('./features/playground/playground-page.tsx'), 'PlaygroundPage'),
  // The inbox is one for all bots; links from before lead to it.
  createRoute({
    getParentRoute: () => shell,
    path: SCREENS.botInbox,
    beforeLoad: ({ params: { botId, conversationId }, search }) => {
      const to = screenPath('inbox', conversationId ? { inboxBotId: botId, conversationId } : {})
      throw redirect({ to, search: { ...search, bot: botId } as never, replace: true })
    },
  }),
  screen(SCREENS.inbox, () => import('./features/inbox/inbox-page.tsx'), 'InboxPage'),
  screen(SCREENS.leads, () => import('./features/leads/leads-page.tsx'), 'LeadsPage'),
  screen(SCREENS.websites, () => import('./features/websites/websites-page.tsx'), 'WebsitesPage'),
  screen(SCREENS.website, () => import('./features/websites/website-page.tsx'), 'WebsitePage'),
  screen(SCREENS.files, () => import('./features/knowledge/files-page.tsx'), 'FilesPage'),
  screen(SCREENS.documents, () => import('./features/knowledge/documents-page.tsx'), 'DocumentsPage'),
  screen(SCREENS.document, () => import('./features/knowledge/document-page.tsx'), 'DocumentPage'),
  screen(SCREENS.answers, () => import('./features/knowledge/answers-page.tsx'), 'AnswersPage'),
  screen(SCREENS.products, () => import('./features/products/products-page.tsx'), 'ProductsPage'),
  screen(SCREENS.feed, () => import('./features/products/feed-page.tsx'), 'FeedPage'),
  screen(SCREENS.tests, () => import('./features/knowledge/tests-page.tsx'), 'TestsPage'),
  screen(SCREENS.review, () => import('./features/knowledge/review-page.tsx'), 'ReviewPage'),
  screen(SCREENS.syncs, () => import('./features/products/syncs-page.tsx'), 'SyncsPage'),
  screen(SCREENS.actions, () => import('./features/actions/actions-page.tsx'), 'ActionsPage'),
  screen(SCREENS.analytics, () => import('./features/analytics/analytics-page.tsx'), 'AnalyticsPage'),
  screen(SCREENS.unanswered, () => import('./features/analytics/unanswered-page.tsx'), 'UnansweredPage'),
  screen(SCREENS.settings, () => import('./features/bots/bot-settings-page.tsx'), 'BotSettingsPage'),
  screen(SCREENS.appearance, () => import('./features/appearance/appearance-page.tsx'), 'AppearancePage'),
  screen(SCREENS.handover, () => import('./features/handover/handover-page.tsx'), 'HandoverPage'),
  screen(SCREENS.flows, () => import('./features/flows/flows-page.tsx'), 'FlowsPage'),
  screen(SCREENS.visitors, () => import('./features/identity/identity-page.tsx'), 'IdentityPage'),
  screen(SCREENS.privacy, () => import('./features/privacy/privacy-page.tsx'), 'PrivacyPage'),
  screen(SCREENS.languageModel, () => import('./features/language-model/language-model-page.tsx'), 'LanguageModelPage'),
  screen(SCREENS.api, () => import('./features/keys/api-keys-page.tsx'), 'ApiKeysPage'),
  screen(SCREENS.integrations, () => import('./features/webhooks/integrations-page.tsx'), 'IntegrationsPage'),
  screen(SCREENS.notifications, () => import('./features/notifications/notifications-page.tsx'), 'NotificationsPage'),
  screen(SCREENS.deliveries, () => import('./features/webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
  screen(SCREENS.members, () => import('./features/workspace/members-page.tsx'), 'MembersPage'),
  screen(SCREENS.cannedReplies, () => import('./features/canned-replies/canned-replies-page.tsx'), 'CannedRepliesPage'),
  screen(SCREENS.usage, () => import('./features/workspace/usage-page.tsx'), 'UsagePage'),
  screen(SCREENS.audit, () => import('./features/workspace/audit-page.tsx'), 'AuditPage'),
  screen(SCREENS.instance, () => import('./features/workspace/instance-page.tsx'), 'InstancePage'),
  screen(SCREENS.account, () => import('./features/account/account-page.tsx'), 'AccountPage'),
]

export const router = createRouter({
  routeTree: root.addChildren([...publicPages, shell.addChildren(screens)]),
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

/** Asks for all that the first screen needs at once: the router would wait for the session before it loads the screen. */
export function beginFirstScreen() {
  const [matchedRoutes] = router.getMatchedRoutes(location.pathname)
  for (const { id, options } of matchedRoutes) {
    const { preload } = (options.component ?? {}) as { preload?: () => Promise<unknown> }
    if (id === shell.id) firstSession = queryClient.fetchQuery(sessionQuery)
    // The router reports what fails when it comes to it.
    for (const first of [preload?.(), firstSession]) first?.catch(() => {})
  }
}

// After a logout in another tab, go to the login and from there back to this page.
function onFailure(error: unknown) {
  const wasLoggedIn = queryClient.getQueryData(sessionQuery.queryKey) !== undefined
  const { pathname, href } = router.latestLocation
  if (!wasLoggedIn || pathname === SCREENS.logIn || !isError(error, 'invalid_management_token')) return
  void router.navigate({ to: SCREENS.logIn, search: { next: href } }).then(() => queryClient.clear())
}
queryClient.getQueryCache().config.onError = onFailure
queryClient.getMutationCache().config.onError = onFailure

type Load = Parameters<typeof lazyRouteComponent>[0]

function route(path: string, load: Load, name: string) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) })
}

function screen(path: string, load: Load, name: string) {
  const component = lazyRouteComponent(loadWhenReachable(load), name)
  return createRoute({ getParentRoute: () => shell, path, component })
}
