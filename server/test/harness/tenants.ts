// A complete customer: workspace, members with tokens, a bot with a document, a curated answer, a product, keys, a
// webhook with a delivery, a notification channel, an invitation, and the owner's picture.
import type { Role } from '@docent/contract'
import type { ApiResponse, Call, CallOptions } from './call.ts'
import { pictureForm, uploadForm } from './samples/route-samples.ts'
import { ADMIN_TOKEN } from './start-server.ts'
import { waitFor } from './wait.ts'

export interface TestMember {
  memberId: string
  tokenId: string
  token: string
}

export interface Tenant extends TestMember {
  workspaceId: string
  botId: string
  documentId: string
  passageId: string
  answerId: string
  actionId: string
  questionId: string
  runId: string
  proposalId: string
  /** The reply of an agent that was proposed. */
  proposedReplyId: string
  repliedConversationId: string
  productId: string
  syncKey: string
  crawlId: string
  feedId: string
  fileId: string
  keyId: string
  identityKeyId: string
  key: string
  webhookId: string
  deliveryId: string
  channelId: string
  conversationId: string
  attachmentId: string
  leadId: string
  visitorId: string
  visitorToken: string
  sessionId: string
  invitationId: string
  replyId: string
  avatarId: string
}

/** The token is a workspace owner's. All texts contain the tenant's name, so that tests notice a leak. */
export async function createTenant(call: Call, name: string): Promise<Tenant> {
  const token = ADMIN_TOKEN
  const workspace = await call('POST /api/manage/v1/workspaces', { token, body: { name, plan: 'business' } })
  const workspaceId: string = workspace.body.id
  const owner = await createMember(call, workspaceId, 'owner', name)
  const bot = await call('POST /api/manage/v1/bots', { token: owner.token, body: { name: `Bot of ${name}` } })
  const botId: string = bot.body.id
  const documentId = `page-of-${name}`
  const document = { id: documentId, title: `Page of ${name}`, text: `The secret colour of ${name} is teal.` }
  const productId = `product-of-${name}`
  const [response, key, syncKey, crawlId, feedId] = await Promise.all([
    call('POST /api/manage/v1/bots/{botId}/answers', {
      token: owner.token,
      params: { botId },
      body: { question: `What is ${name}?`, answer: `It is ${name}.` },
    }),
    createKey(call, botId, owner.token, { name: `Key of ${name}` }),
    createSyncKey(call, botId, owner.token),
    createCrawl(call, botId, owner.token, name),
    createFeed(call, botId, owner.token, name),
    call('POST /api/manage/v1/bots/{botId}/documents', {
      token: owner.token,
      params: { botId },
      body: { documents: [document] },
    }),
  ])
  // It waits until no visitor has asked anything for a second: the visit comes after it, the rest is made meanwhile.
  const testRun = createTestRun(call, botId, owner.token, name)
  const products = [{ id: productId, title: `Lamp of ${name}`, price: '5 EUR' }]
  await syncProducts(call, syncKey, { products })
  const webhook = await createWebhook(call, botId, owner.token, name)
  const fileId = await createFile(call, botId, owner.token, name)
  const invitation = await call('POST /api/manage/v1/workspaces/{workspaceId}/invitations', {
    token: owner.token,
    params: { workspaceId },
    body: { email: `guest-of-${name}@example.test`, role: 'viewer' },
  })
  const reply = await call('POST /api/manage/v1/workspaces/{workspaceId}/canned-replies', {
    token: owner.token,
    params: { workspaceId },
    body: { shortcut: name, text: `Greetings from ${name}` },
  })
  const replyId: string = reply.body.id
  const action = await call('POST /api/manage/v1/bots/{botId}/actions', {
    token: owner.token,
    params: { botId },
    body: {
      name: `Action of ${name}`,
      description: '',
      examples: [`Do the trick of ${name}`],
      inputs: [],
      request: { method: 'GET', url: `https://${name}.test/trick` },
    },
  })
  const tests = await testRun
  const visit = await createVisit(call, botId, owner.token, name)
  const proposal = await createProposal(call, botId, owner.token, name)
  const identityKey = await call('POST /api/manage/v1/bots/{botId}/identity-keys', {
    token: owner.token,
    params: { botId },
  })
  const picture = await call('POST /api/manage/v1/workspaces/{workspaceId}/avatar', {
    token: owner.token,
    params: { workspaceId },
    ...pictureForm(),
  })
  const avatarId: string = picture.body.id
  const passages = await call('GET /api/manage/v1/bots/{botId}/documents/{documentId}/passages', {
    token: owner.token,
    params: { botId, documentId },
  })
  const ids = {
    workspaceId,
    botId,
    replyId,
    avatarId,
    documentId,
    passageId: passages.body.items[0].id as string,
    answerId: response.body.id,
    actionId: action.body.id as string,
    ...tests,
    ...proposal,
    identityKeyId: identityKey.body.id as string,
    productId,
    crawlId,
    feedId,
    fileId,
  }
  return { ...owner, ...ids, invitationId: invitation.body.id, syncKey, ...key, ...webhook, ...visit }
}

/** Whether a route removes or creates what the next one needs or creates too; if not, a tenant serves both. */
export function usesUpTenant(route: string): boolean {
  return /^DELETE|revoke$|rotate$|approve$|messages$|attachments$|workspaces/.test(route)
}

async function createFile(call: Call, botId: string, token: string, name: string) {
  const { headers, raw } = uploadForm(`file-of-${name}.txt`, `The secret file of ${name}.`)
  const response = await call('POST /api/manage/v1/bots/{botId}/files', { token, params: { botId }, headers, raw })
  return response.body.files[0].id as string
}

/** A test question, and a run of it that has ended. */
async function createTestRun(call: Call, botId: string, token: string, name: string) {
  const params = { botId }
  const body = { question: `What is the secret colour of ${name}?`, expected_text: 'teal' }
  const question = await call('POST /api/manage/v1/bots/{botId}/test-questions', { token, params, body })
  const testRun = await call('POST /api/manage/v1/bots/{botId}/test-runs', { token, params })
  const ids = { questionId: question.body.id as string, runId: testRun.body.id as string }
  const route = 'GET /api/manage/v1/bots/{botId}/test-runs/{runId}'
  const read = () => call(route, { token, params: { ...params, ...ids } })
  await waitFor(async () => (await read()).body.state === 'finished', 'the test run to end')
  return ids
}

/** An agent's reply in a conversation of its own, proposed as a curated answer. */
async function createProposal(call: Call, botId: string, token: string, name: string) {
  const params = { botId }
  const body = { session_id: `second-session-of-${name}`, message: `Does ${name} mend lamps?` }
  await call('POST /api/chat/{botId}/message', { params, body })
  const { items } = (await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params })).body
  const conversationId = items.find(({ session_id }: { session_id: string }) => session_id === body.session_id).id
  const reply = await call('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages', {
    token,
    params: { botId, conversationId },
    body: { text: `We mend lamps of ${name}.` },
  })
  const proposal = await call('POST /api/manage/v1/bots/{botId}/answer-proposals', {
    token,
    params,
    body: { conversation_id: conversationId, message_id: reply.body.id },
  })
  return {
    proposalId: proposal.body.id as string,
    proposedReplyId: reply.body.id as string,
    repliedConversationId: conversationId as string,
  }
}

/** A visitor who wrote a message and left an email address. */
async function createVisit(call: Call, botId: string, token: string, name: string) {
  const params = { botId }
  const body = { session_id: `session-of-${name}`, message: `My address is visitor@${name}.test` }
  const first = await call('POST /api/chat/{botId}/message', { params, body })
  const { headers, raw } = uploadForm(`note-of-${name}.txt`, `The secret note of ${name}.`)
  const file = await call('POST /api/chat/{botId}/attachments', {
    params,
    raw,
    headers: { ...headers, 'x-visitor-token': first.body.visitor_token },
  })
  const conversations = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params })
  const leads = await call('GET /api/manage/v1/bots/{botId}/leads', { token, params })
  return {
    attachmentId: file.body.messages[0].attachments[0].id as string,
    conversationId: conversations.body.items[0].id as string,
    leadId: leads.body.items[0].id as string,
    visitorId: leads.body.items[0].visitor_id as string,
    visitorToken: first.body.visitor_token as string,
    sessionId: body.session_id,
  }
}

/** An unreachable endpoint with one failed delivery. The test clock stands still, so it is not retried. */
async function createWebhook(call: Call, botId: string, token: string, name: string) {
  const url = `https://${name}.hooks.test/`
  // The tenant triggers no events of this type.
  const body = { url, event_types: ['handover.closed'] }
  const webhook = await call('POST /api/manage/v1/bots/{botId}/webhooks', { token, params: { botId }, body })
  const params = { botId, webhookId: webhook.body.id as string }
  const testDelivery = await call('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/test', { token, params })
  const state = async () =>
    (await call('GET /api/manage/v1/bots/{botId}/webhooks/{webhookId}', { token, params })).body.state
  await waitFor(async () => (await state()) === 'failing', 'the first attempt')
  const channel = await call('POST /api/manage/v1/bots/{botId}/notification-channels', {
    token,
    params: { botId },
    body: { kind: 'slack', url, event_types: ['handover.requested'] },
  })
  return {
    webhookId: params.webhookId,
    deliveryId: testDelivery.body.id as string,
    channelId: channel.body.id as string,
  }
}

export async function createMember(
  call: Call,
  workspaceId: string,
  role: Role,
  name: string = role,
): Promise<TestMember> {
  const member = await call('POST /api/manage/v1/workspaces/{workspaceId}/members', {
    token: ADMIN_TOKEN,
    params: { workspaceId },
    body: { email: `${role}-${name}@example.test`, name, role },
  })
  const memberId: string = member.body.id
  const token = await call('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens', {
    token: ADMIN_TOKEN,
    params: { workspaceId, memberId },
    body: { name },
  })
  return { memberId, tokenId: token.body.id, token: token.body.token }
}

export async function createKey(call: Call, botId: string, token: string, body: object = { name: 'another' }) {
  const key = await call('POST /api/manage/v1/bots/{botId}/keys', { token, params: { botId }, body })
  return { keyId: key.body.id as string, key: key.body.key as string }
}

export async function createSyncKey(call: Call, botId: string, token: string = ADMIN_TOKEN, body: object = {}) {
  const response = await call('POST /api/manage/v1/bots/{botId}/sync-key', { token, params: { botId }, body })
  return response.body.key as string
}

export function syncProducts(
  call: Call,
  syncKey: string,
  body: unknown,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const headers = { 'x-service-key': syncKey, ...options.headers }
  return call('POST /api/v1/chat/sync-products', { body, ...options, headers })
}

/** Stopped, so that it does not change during a test. */
async function createCrawl(call: Call, botId: string, token: string, name: string): Promise<string> {
  const params = { botId }
  const body = { url: `https://${name}.test/`, exclude: ['/'] }
  const crawl = await call('POST /api/manage/v1/bots/{botId}/crawls', { token, params, body })
  const crawlId: string = crawl.body.id
  await call('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/stop', { token, params: { botId, crawlId } })
  return crawlId
}

/** Paused, for the same reason. */
async function createFeed(call: Call, botId: string, token: string, name: string): Promise<string> {
  const route = '/api/manage/v1/bots/{botId}/feeds'
  const feed = await call(`POST ${route}`, { token, params: { botId }, body: { url: `https://${name}.test/feed.xml` } })
  const feedId: string = feed.body.id
  await call(`PATCH ${route}/{feedId}`, { token, params: { botId, feedId }, body: { paused: true } })
  return feedId
}
