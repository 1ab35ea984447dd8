// Every screen and its address. Each is loaded when somebody goes there.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient, readQuery } from './api.ts'
import { isError } from './client.ts'
import { Broken, Lost } from './pages/broken.tsx'
import { sessionQuery } from './session.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ notFoundComponent: Lost })

const gates = [
  route('/login', () => import('./pages/log-in.tsx'), 'LogInPage'),
  route('/setup', () => import('./pages/set-up.tsx'), 'SetUpPage'),
  route('/invitation', () => import('./pages/invitation.tsx'), 'InvitationPage'),
  route('/reset', () => import('./pages/reset.tsx'), 'ResetPage'),
]

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery)
    } catch (error) {
      if (!isError(error, 'invalid_management_token')) throw error
      const { needed } = await queryClient.fetchQuery(readQuery('GET /api/manage/v1/setup', {}))
      if (needed) throw redirect({ to: '/setup' })
      throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { next: location.href } })
    }
  },
})

const screens = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/bots' })
    },
  }),
  screen('/bots', () => import('./pages/bots.tsx'), 'BotsPage'),
  screen('/bots/new', () => import('./pages/new-bot.tsx'), 'NewBotPage'),
  screen('/bots/$botId', () => import('./pages/bot.tsx'), 'BotPage'),
  screen('/bots/$botId/playground', () => import('./pages/playground.tsx'), 'PlaygroundPage'),
  screen('/bots/$botId/inbox/{-$conversationId}', () => import('./pages/inbox.tsx'), 'InboxPage'),
  screen('/bots/$botId/leads', () => import('./pages/leads.tsx'), 'LeadsPage'),
  screen('/bots/$botId/knowledge', () => import('./pages/websites.tsx'), 'WebsitesPage'),
  screen('/bots/$botId/knowledge/websites/$crawlId', () => import('./pages/website.tsx'), 'WebsitePage'),
  screen('/bots/$botId/knowledge/files', () => import('./pages/files.tsx'), 'FilesPage'),
  screen('/bots/$botId/knowledge/documents', () => import('./pages/documents.tsx'), 'DocumentsPage'),
  screen('/bots/$botId/knowledge/documents/$documentId', () => import('./pages/document.tsx'), 'DocumentPage'),
  screen('/bots/$botId/knowledge/answers', () => import('./pages/answers.tsx'), 'AnswersPage'),
  screen('/bots/$botId/knowledge/products', () => import('./pages/products.tsx'), 'ProductsPage'),
  screen('/bots/$botId/knowledge/syncs', () => import('./pages/syncs.tsx'), 'SyncsPage'),
  screen('/bots/$botId/analytics', () => import('./pages/analytics.tsx'), 'AnalyticsPage'),
  screen('/bots/$botId/unanswered', () => import('./pages/unanswered.tsx'), 'UnansweredPage'),
  screen('/bots/$botId/settings', () => import('./pages/bot-settings.tsx'), 'BotSettingsPage'),
  screen('/bots/$botId/settings/appearance', () => import('./pages/appearance.tsx'), 'AppearancePage'),
  screen('/bots/$botId/settings/people', () => import('./pages/people.tsx'), 'PeoplePage'),
  screen('/bots/$botId/settings/privacy', () => import('./pages/privacy.tsx'), 'PrivacyPage'),
  screen('/bots/$botId/settings/model', () => import('./pages/language-model.tsx'), 'LanguageModelPage'),
  screen('/bots/$botId/settings/api', () => import('./pages/api-keys.tsx'), 'ApiKeysPage'),
  screen('/bots/$botId/settings/integrations', () => import('./pages/integrations.tsx'), 'IntegrationsPage'),
  screen('/bots/$botId/settings/deliveries', () => import('./pages/deliveries.tsx'), 'DeliveriesPage'),
  screen('/workspace', () => import('./pages/members.tsx'), 'MembersPage'),
  screen('/workspace/usage', () => import('./pages/usage.tsx'), 'UsagePage'),
  screen('/workspace/audit', () => import('./pages/audit.tsx'), 'AuditPage'),
  screen('/instance', () => import('./pages/instance.tsx'), 'InstancePage'),
  screen('/account', () => import('./pages/account.tsx'), 'AccountPage'),
]

export const router = createRouter({
  routeTree: root.addChildren([...gates, shell.addChildren(screens)]),
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: Lost,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

// Who was logged out elsewhere is led to the log-in, and from there back to where they were.
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
  return createRoute({ getParentRoute: () => shell, path, component: lazyRouteComponent(load, name) })
}
