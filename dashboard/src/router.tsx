// All screens and their paths, each loaded on demand.
import type { Session } from '@docent/contract'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { apiQuery, queryClient } from './api.ts'
import { isError } from './client.ts'
import { sessionQuery } from './session.ts'
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx'
import { loadWhenReachable } from './shell/load-screen.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ notFoundComponent: NotFoundPage })

const publicPages = [
  route('/login', () => import('./features/auth/log-in-page.tsx'), 'LogInPage'),
  route('/setup', () => import('./features/auth/set-up-page.tsx'), 'SetUpPage'),
  route('/invitation', () => import('./features/auth/invitation-page.tsx'), 'InvitationPage'),
  route('/email', () => import('./features/auth/email-page.tsx'), 'EmailPage'),
  route('/reset', () => import('./features/auth/reset-page.tsx'), 'ResetPage'),
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
      if (needed) throw redirect({ to: '/setup' })
      throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { next: location.href } })
    }
  },
})

const screens = [
  screen('/', () => import('./features/home/home-page.tsx'), 'HomePage'),
  screen('/bots', () => import('./features/bots/bots-page.tsx'), 'BotsPage'),
  screen('/bots/new', () => import('./features/bots/new-bot-page.tsx'), 'NewBotPage'),
  screen('/bots/$botId', () => import('./features/bots/bot-page.tsx'), 'BotPage'),
  screen('/bots/$botId/playground', () => import('./features/playground/playground-page.tsx'), 'PlaygroundPage'),
  // The inbox is one for all bots; links from before lead to it.
  createRoute({
    getParentRoute: () => shell,
    path: '/bots/$botId/inbox/{-$conversationId}',
    beforeLoad: ({ params: { botId, conversationId }, search }) => {
      const to = conversationId ? `/inbox/${botId}/${conversationId}` : '/inbox'
      throw redirect({ to, search: { ...search, bot: botId } as never, replace: true })
    },
  }),
  screen('/inbox/{-$inboxBotId}/{-$conversationId}', () => import('./features/inbox/inbox-page.tsx'), 'InboxPage'),
  screen('/bots/$botId/leads', () => import('./features/leads/leads-page.tsx'), 'LeadsPage'),
  screen('/bots/$botId/knowledge', () => import('./features/websites/websites-page.tsx'), 'WebsitesPage'),
  screen(
    '/bots/$botId/knowledge/websites/$crawlId',
    () => import('./features/websites/website-page.tsx'),
    'WebsitePage',
  ),
  screen('/bots/$botId/knowledge/files', () => import('./features/knowledge/files-page.tsx'), 'FilesPage'),
  screen('/bots/$botId/knowledge/documents', () => import('./features/knowledge/documents-page.tsx'), 'DocumentsPage'),
  screen(
    '/bots/$botId/knowledge/documents/$documentId',
    () => import('./features/knowledge/document-page.tsx'),
    'DocumentPage',
  ),
  screen('/bots/$botId/knowledge/answers', () => import('./features/knowledge/answers-page.tsx'), 'AnswersPage'),
  screen('/bots/$botId/knowledge/products', () => import('./features/products/products-page.tsx'), 'ProductsPage'),
  screen('/bots/$botId/knowledge/feeds/$feedId', () => import('./features/products/feed-page.tsx'), 'FeedPage'),
  screen('/bots/$botId/knowledge/tests', () => import('./features/knowledge/tests-page.tsx'), 'TestsPage'),
  screen('/bots/$botId/knowledge/review', () => import('./features/knowledge/review-page.tsx'), 'ReviewPage'),
  screen('/bots/$botId/knowledge/syncs', () => import('./features/products/syncs-page.tsx'), 'SyncsPage'),
  screen(
    '/bots/$botId/actions/{-$actionId}/{-$view}',
    () => import('./features/actions/actions-page.tsx'),
    'ActionsPage',
  ),
  screen('/bots/$botId/analytics', () => import('./features/analytics/analytics-page.tsx'), 'AnalyticsPage'),
  screen('/bots/$botId/unanswered', () => import('./features/analytics/unanswered-page.tsx'), 'UnansweredPage'),
  screen('/bots/$botId/settings', () => import('./features/bots/bot-settings-page.tsx'), 'BotSettingsPage'),
  screen(
    '/bots/$botId/settings/appearance',
    () => import('./features/appearance/appearance-page.tsx'),
    'AppearancePage',
  ),
  screen('/bots/$botId/settings/people', () => import('./features/handover/handover-page.tsx'), 'HandoverPage'),
  screen('/bots/$botId/settings/flows', () => import('./features/flows/flows-page.tsx'), 'FlowsPage'),
  screen('/bots/$botId/settings/visitors', () => import('./features/identity/identity-page.tsx'), 'IdentityPage'),
  screen('/bots/$botId/settings/privacy', () => import('./features/privacy/privacy-page.tsx'), 'PrivacyPage'),
  screen(
    '/bots/$botId/settings/model',
    () => import('./features/language-model/language-model-page.tsx'),
    'LanguageModelPage',
  ),
  screen('/bots/$botId/settings/api', () => import('./features/keys/api-keys-page.tsx'), 'ApiKeysPage'),
  screen(
    '/bots/$botId/settings/integrations',
    () => import('./features/webhooks/integrations-page.tsx'),
    'IntegrationsPage',
  ),
  screen(
    '/bots/$botId/settings/notifications',
    () => import('./features/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  screen('/bots/$botId/settings/deliveries', () => import('./features/webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
  screen('/workspace', () => import('./features/workspace/members-page.tsx'), 'MembersPage'),
  screen('/workspace/replies', () => import('./features/canned-replies/canned-replies-page.tsx'), 'CannedRepliesPage'),
  screen('/workspace/usage', () => import('./features/workspace/usage-page.tsx'), 'UsagePage'),
  screen('/workspace/audit', () => import('./features/workspace/audit-page.tsx'), 'AuditPage'),
  screen('/instance', () => import('./features/workspace/instance-page.tsx'), 'InstancePage'),
  screen('/account', () => import('./features/account/account-page.tsx'), 'AccountPage'),
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
  if (!wasLoggedIn || pathname === '/login' || !isError(error, 'invalid_management_token')) return
  void router.navigate({ to: '/login', search: { next: href } }).then(() => queryClient.clear())
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
