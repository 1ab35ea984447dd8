// A busy bot with data on every screen.
import { SCREENS, screenPath } from '@docent/contract'
import { runStatement } from '../../server/test/harness/database/rows.ts'
import { invite, joinWorkspace, openBrowser } from '../../server/test/harness/people.ts'
import type { ServerOptions } from '../../server/test/harness/start-server.ts'
import { createSyncKey, syncProducts } from '../../server/test/harness/tenants.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { startBusyBot } from './busy-bot.ts'
import { ownerCookie } from './dashboard.ts'

const BOT = '/api/manage/v1/bots/{botId}'

export async function startFurnishedBot(onEnd: ServerOptions['onEnd']) {
  const server = await startBusyBot(onEnd)
  const { botId, manage } = server
  const make = (route: string, body: object) => manage(`POST ${BOT}/${route}`, { body })
  await manage(`PATCH ${BOT}`, { body: { name: 'Bicycle shop' } })
  await make('answers', { question: 'Who repairs my gears?', alternatives: ['Repairs?'], answer: 'Our workshop does.' })
  await make('test-questions', { question: 'How long does delivery take?', expected_text: 'working days' })
  await make('test-questions', { question: 'Who won the football world cup in 1954?' })
  await make('test-runs', {})
  await make('keys', { name: 'Website', webhook_url: 'https://mirror.example/hook' })
  const event_types = ['lead.created']
  const webhook = await make('webhooks', { url: 'https://receiver.example/hook', event_types })
  await make(`webhooks/${webhook.id}/test`, {})
  const crawl = await make('crawls', { url: 'https://site.example/' })
  const feed = await make('feeds', { url: 'https://shop.example/feed.xml?token=x', every_hours: 6 })
  const action = await make('actions', {
    name: 'Order status',
    description: '',
    examples: ['Where is my order?'],
    inputs: [{ name: 'order_number', type: 'string', description: 'Order number', required: true }],
    request: { method: 'GET', url: 'https://shop.example/orders/{{order_number}}' },
    auth: { type: 'bearer', token: 'x' },
    sample: { status: 'shipped', parcels: [{ days: 2 }] },
  })
  await make(`actions/${action.id}/test`, { inputs: { order_number: '12345' } })
  const item = { id: '1', title: 'Atlas jacket', price: '129.00 EUR', availability: 'in_stock', brand: 'Atlas' }
  await syncProducts(server.call, await createSyncKey(server.call, botId), [item, { id: '2' }])
  const language_model = {
    provider: 'openai_compatible',
    base_url: 'https://model.example/v1',
    model: 'small',
    writes_answers: false,
    input_price_per_million: 0.15,
    output_price_per_million: 0.6,
  }
  await manage(`PATCH ${BOT}`, { body: { language_model } })
  const visitor = createVisitor(server.call, botId)
  await visitor.say('How long does delivery take?', { visitor: { name: 'Ada Lovelace' } })
  await visitor.say('Who won the football world cup in 1954?')
  await visitor.post('lead', { fields: { email: 'ada@shop.example', message: 'x'.repeat(300) } })
  await visitor.post('handover', {})
  const greeting_buttons = [
    { type: 'action', label: 'Track my order', action_id: action.id },
    { type: 'page', label: 'Our workshop', url: 'https://shop.example/workshop' },
    { type: 'person', label: 'Talk to us' },
  ]
  const questions = [{ label: 'Topic', ask: 'What is it about?', type: 'choice', choices: ['A repair', 'An order'] }]
  await manage(`PATCH ${BOT}`, { body: { widget: { greeting_buttons }, handover: { questions } } })
  const { items } = await manage(`GET ${BOT}/conversations`)
  const ids = {
    crawlId: crawl.id as string,
    feedId: feed.id as string,
    actionId: action.id as string,
    conversationId: items[0].id as string,
  }
  await manage(`PATCH ${BOT}/conversations/${ids.conversationId}`, { body: { add_tags: ['delivery', 'football'] } })
  await server.call('POST /api/manage/v1/workspaces/{workspaceId}/canned-replies', {
    token: server.adminToken,
    params: { workspaceId: server.workspaceId },
    body: { shortcut: 'hello', text: 'Hello {{visitor.name}}, this is {{agent.name}}.' },
  })
  await joinWorkspace(server.call, server.workspaceId, 'editor', 'vera@example.test')
  await joinWorkspace(server.call, server.workspaceId, 'agent', 'grace@example.test')
  await invite(server.call, server.workspaceId, 'alan@example.test', 'viewer')
  const cookie = await ownerCookie(server)
  await runStatement(
    server.database,
    `UPDATE accounts SET oidc_subject = 'https://id.example owner' WHERE instance_owner = 1`,
  )
  // The owner's session starts in another workspace.
  await openBrowser(server.call, cookie).call('PATCH /api/manage/v1/session', {
    body: { workspace_id: server.workspaceId },
  })
  return { ...server, ...ids, cookie }
}

type Ids = Pick<
  Awaited<ReturnType<typeof startFurnishedBot>>,
  'botId' | 'crawlId' | 'feedId' | 'actionId' | 'conversationId'
>

/** The path of every screen, keyed by a name that is also used for files. */
export function screensOf({ botId, crawlId, feedId, actionId, conversationId }: Ids): Record<string, string> {
  const bot = { botId }
  const inbox = screenPath('inbox', {})
  const conversation = screenPath('inbox', { inboxBotId: botId, conversationId })
  return {
    home: SCREENS.home,
    bots: SCREENS.bots,
    'new-bot': SCREENS.newBot,
    overview: screenPath('bot', bot),
    playground: screenPath('playground', bot),
    inbox: `${inbox}?bot=${botId}`,
    conversation: `${conversation}?bot=${botId}`,
    'team-inbox': conversation,
    leads: screenPath('leads', bot),
    websites: screenPath('websites', bot),
    website: screenPath('website', { botId, crawlId }),
    files: screenPath('files', bot),
    documents: screenPath('documents', bot),
    document: screenPath('document', { botId, documentId: 'shipping' }),
    answers: screenPath('answers', bot),
    products: screenPath('products', bot),
    feed: screenPath('feed', { botId, feedId }),
    syncs: screenPath('syncs', bot),
    tests: screenPath('tests', bot),
    review: screenPath('review', bot),
    actions: screenPath('actions', bot),
    action: screenPath('actions', { botId, actionId }),
    'action-log': screenPath('actions', { botId, actionId, view: 'log' }),
    unanswered: screenPath('unanswered', bot),
    analytics: `${screenPath('analytics', bot)}?range=month`,
    general: screenPath('settings', bot),
    appearance: screenPath('appearance', bot),
    flows: screenPath('flows', bot),
    handover: screenPath('handover', bot),
    model: screenPath('languageModel', bot),
    api: screenPath('api', bot),
    integrations: screenPath('integrations', bot),
    notifications: screenPath('notifications', bot),
    deliveries: screenPath('deliveries', bot),
    visitors: screenPath('visitors', bot),
    privacy: screenPath('privacy', bot),
    members: SCREENS.members,
    'canned-replies': SCREENS.cannedReplies,
    usage: SCREENS.usage,
    audit: SCREENS.audit,
    instance: SCREENS.instance,
    account: SCREENS.account,
    lost: `${SCREENS.members}/nothing`,
  }
}
