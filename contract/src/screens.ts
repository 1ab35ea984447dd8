// The addresses of the dashboard, once: its router serves them, and the server links to them in emails and notifications.
// Without imports, because the dashboard loads this file first.

/** In the router's notation: `$name` is a parameter, `{-$name}` one that may be missing. */
export const SCREENS = {
  logIn: '/login',
  setUp: '/setup',
  invitation: '/invitation',
  email: '/email',
  reset: '/reset',

  home: '/',
  inbox: '/inbox/{-$inboxBotId}/{-$conversationId}',
  bots: '/bots',
  newBot: '/bots/new',
  members: '/workspace',
  cannedReplies: '/workspace/replies',
  usage: '/workspace/usage',
  audit: '/workspace/audit',
  instance: '/instance',
  account: '/account',

  bot: '/bots/$botId',
  playground: '/bots/$botId/playground',
  /** Leads to the inbox, showing this bot only. */
  botInbox: '/bots/$botId/inbox/{-$conversationId}',
  leads: '/bots/$botId/leads',
  actions: '/bots/$botId/actions/{-$actionId}/{-$view}',
  analytics: '/bots/$botId/analytics',
  unanswered: '/bots/$botId/unanswered',

  websites: '/bots/$botId/knowledge',
  website: '/bots/$botId/knowledge/websites/$crawlId',
  files: '/bots/$botId/knowledge/files',
  documents: '/bots/$botId/knowledge/documents',
  document: '/bots/$botId/knowledge/documents/$documentId',
  answers: '/bots/$botId/knowledge/answers',
  products: '/bots/$botId/knowledge/products',
  feed: '/bots/$botId/knowledge/feeds/$feedId',
  tests: '/bots/$botId/knowledge/tests',
  review: '/bots/$botId/knowledge/review',
  syncs: '/bots/$botId/knowledge/syncs',

  settings: '/bots/$botId/settings',
  appearance: '/bots/$botId/settings/appearance',
  handover: '/bots/$botId/settings/people',
  flows: '/bots/$botId/settings/flows',
  visitors: '/bots/$botId/settings/visitors',
  privacy: '/bots/$botId/settings/privacy',
  languageModel: '/bots/$botId/settings/model',
  api: '/bots/$botId/settings/api',
  integrations: '/bots/$botId/settings/integrations',
  notifications: '/bots/$botId/settings/notifications',
  deliveries: '/bots/$botId/settings/deliveries',
} as const

type Screens = typeof SCREENS

type ParameterOf<Path, Start extends string, End extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParameterOf<Segment, Start, End> | ParameterOf<Rest, Start, End>
  : Path extends `${Start}${infer Name}${End}`
    ? Name
    : never
type ParametersOf<Path> = { [Name in ParameterOf<Path, '$', ''>]: string } & {
  [Name in ParameterOf<Path, '{-$', '}'>]?: string
}

/** The path of a screen. Parameters that may be missing are left out from the end. */
export function screenPath<Name extends keyof Screens>(screen: Name, parameters: ParametersOf<Screens[Name]>): string {
  const values: Record<string, string | undefined> = parameters
  const segments = SCREENS[screen].split('/').map((segment) => {
    const name = /\$(\w+)/.exec(segment)?.[1]
    return name === undefined ? segment : encodeURIComponent(values[name] ?? '')
  })
  return segments.join('/').replace(/(?<=.)\/+$/, '')
}
