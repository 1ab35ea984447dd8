// The audit log: who did what in a workspace, for its owners.

import type { AuditEntry } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { changedFields } from '../../src/access/audit.ts'
import { openStorage } from '../../src/storage/storage.ts'
import type { Call, CallOptions } from '../harness/call.ts'
import { engines } from '../harness/database/databases.ts'
import { createWorkspace, joinWorkspace, logIn, MANAGE, PASSWORD, setUpOwner } from '../harness/people.ts'
import { routeTable, sampleRequest, uploadForm } from '../harness/samples/route-samples.ts'
import { createTestDatabase } from '../harness/start-process.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import {
  createMember,
  createSyncKey,
  createTenant,
  syncProducts,
  type Tenant,
  usesUpTenant,
} from '../harness/tenants.ts'
import { createVisitor } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'

const W = `${MANAGE}/workspaces/{workspaceId}`
const B = `${MANAGE}/bots/{botId}`

async function entriesOf(call: Call, workspaceId: string): Promise<AuditEntry[]> {
  const { body } = await call(`GET ${W}/audit`, { token: ADMIN_TOKEN, params: { workspaceId }, query: { limit: 200 } })
  return body.items
}

test('a setting that was removed from its group is named, and the order of settings is no change', () => {
  expect(changedFields({ group: { one: 1, two: 2 } }, { group: { one: 1 } })).toBe('group.two')
  expect(changedFields({ group: { one: 1, two: 2 } }, { group: { two: 2, one: 1 } })).toBe('')
  const nested = { group: { hours: { timezone: 'UTC', open: [{ from: '09:00', to: '17:00' }] } } }
  const sameFields = { group: { hours: { open: [{ to: '17:00', from: '09:00' }], timezone: 'UTC' } } }
  expect(changedFields(nested, sameFields)).toBe('')
  sameFields.group.hours.open[0] = { to: '18:00', from: '09:00' }
  expect(changedFields(nested, sameFields)).toBe('group.hours')
})

describe.each(engines)('the audit log on %s', (engine) => {
  test('lists what members and tokens did, newest first, in their own workspace only', async () => {
    const { call, clock } = await startServer(engine)
    const workspaceId = await createWorkspace(call)
    const otherWorkspaceId = await createWorkspace(call, 'Other')
    const owner = await joinWorkspace(call, workspaceId, 'owner')
    const params = { workspaceId }
    clock.now += 1000
    const bot = await owner.call(`POST ${MANAGE}/bots`, { body: { name: 'Helper' } })
    const ofBot = { botId: bot.body.id as string }
    const key = await owner.call(`POST ${B}/keys`, { params: ofBot, body: { name: 'Shop' } })
    const ofKey = { ...ofBot, keyId: key.body.id as string }
    await owner.call(`PATCH ${B}/keys/{keyId}`, { params: ofKey, body: { name: 'Shop', [`field-${PASSWORD}`]: 1 } })
    await owner.call(`POST ${B}/keys/{keyId}/rotate`, { params: ofKey, body: {} })
    await owner.call(`POST ${B}/keys/{keyId}/revoke`, { params: ofKey })
    await owner.call(`POST ${B}/sync-key`, { params: ofBot, body: {} })
    const url = 'https://hooks.test/CANARY-in-the-path'
    const webhook = await owner.call(`POST ${B}/webhooks`, { params: ofBot, body: { url } })
    const ofWebhook = { ...ofBot, webhookId: webhook.body.id as string }
    await owner.call(`PATCH ${B}/webhooks/{webhookId}`, { params: ofWebhook, body: { enabled: false } })
    await owner.call(`POST ${B}/webhooks/{webhookId}/rotate-secret`, { params: ofWebhook })
    await owner.call(`DELETE ${B}/webhooks/{webhookId}`, { params: ofWebhook })
    await owner.call(`PATCH ${B}`, {
      params: ofBot,
      body: { name: 'Helper', tone: 'casual', language: 'en', widget: { greeting: 'Hi!', theme: 'auto' } },
    })
    const { memberId, tokenId, token } = await createMember(call, workspaceId, 'viewer', 'robot')
    const ofMember = { ...params, memberId }
    await owner.call(`PATCH ${W}/members/{memberId}`, { params: ofMember, body: { role: 'owner' } })
    await call(`POST ${W}/invitations`, { token, params, body: { email: 'new@example.test', role: 'agent' } })
    await owner.call(`DELETE ${W}/members/{memberId}/tokens/{tokenId}`, { params: { ...ofMember, tokenId } })
    await owner.call(`DELETE ${W}/members/{memberId}`, { params: ofMember })
    await call(`PATCH ${W}`, { token: ADMIN_TOKEN, params, body: { plan: 'free' } })
    await owner.call(`DELETE ${B}`, { params: ofBot })

    const entries = (await entriesOf(call, workspaceId)).toReversed()
    const email = owner.email
    const robot = 'viewer-robot@example.test'
    expect(entries.map(({ actor, action }) => [action, actor])).toEqual([
      ['workspace.created', 'instance owner'],
      ['member.invited', 'instance owner'],
      ['member.joined', email],
      ['bot.created', email],
      ['key.created', email],
      ['key.changed', email],
      ['key.rotated', email],
      ['key.revoked', email],
      ['sync_key.rotated', email],
      ['webhook.created', email],
      ['webhook.changed', email],
      ['webhook.secret_rotated', email],
      ['webhook.deleted', email],
      ['bot.changed', email],
      ['member.added', 'instance owner'],
      ['token.created', 'instance owner'],
      ['member.changed', email],
      ['member.invited', `${robot} (token robot)`],
      ['token.revoked', email],
      ['member.removed', email],
      ['workspace.changed', 'instance owner'],
      ['bot.deleted', email],
    ])
    const targets = Object.fromEntries(entries.map(({ action, target }) => [action, target]))
    expect(targets['workspace.changed']).toBe('plan: business → free')
    expect(targets['member.changed']).toBe(`${robot}: viewer → owner`)
    expect(targets['bot.changed']).toBe(`Helper (${bot.body.id}): tone, widget.greeting`)
    expect(targets['key.changed']).toBe(`Shop (${key.body.id}): name`)
    expect(targets['sync_key.rotated']).toBe(`Helper (${bot.body.id})`)
    expect(targets['webhook.deleted']).toBe(`hooks.test (${webhook.body.id})`)
    expect(targets['token.created']).toBe(`robot (${tokenId}) of ${robot}`)
    expect(targets['token.revoked']).toBe(`robot (${tokenId}) of ${robot}`)
    expect(entries.at(-1)).toMatchObject({ at: new Date(clock.now).toISOString(), ip: '127.0.0.1' })
    expect(JSON.stringify(entries)).not.toContain('CANARY')
    expect((await entriesOf(call, otherWorkspaceId)).map(({ action }) => action)).toEqual(['workspace.created'])
  })

  test('names with each of many changes at once what that one changed', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId, workspaceId } = await createBot({})
    const bodies = [{ tone: 'casual' }, { fallback_message: 'Sorry.' }, { widget: { greeting: 'Hi!' } }]
    const change = (body: object) => call(`PATCH ${B}`, { token: ADMIN_TOKEN, params: { botId }, body })
    expect((await Promise.all(bodies.map(change))).map(({ status }) => status)).toEqual([200, 200, 200])
    const entries = (await entriesOf(call, workspaceId)).filter(({ action }) => action === 'bot.changed')
    const names = entries.map(({ target }) => target?.split(': ')[1])
    expect(names.sort()).toEqual(['fallback_message', 'tone', 'widget.greeting'])
  })

  test('records changes to a bot’s knowledge and conversations, but no requests that change nothing', async () => {
    const { call } = await startServer(engine)
    const workspaceId = await createWorkspace(call)
    const editor = await joinWorkspace(call, workspaceId, 'editor')
    const bot = await editor.call(`POST ${MANAGE}/bots`, { body: { name: 'Helper' } })
    const ofBot = { botId: bot.body.id as string }
    const act = (route: string, options: CallOptions = {}) =>
      editor.call(route, { ...options, params: { ...ofBot, ...options.params } })
    const documents = [{ id: 'returns', title: 'Returns', text: 'Within 30 days.' }]
    await act(`POST ${B}/documents`, { body: { documents } })
    await act(`POST ${B}/documents`, { body: { documents } })
    await act(`DELETE ${B}/documents/{documentId}`, { params: { documentId: 'returns' } })
    await act(`DELETE ${B}/documents/{documentId}`, { params: { documentId: 'returns' } })
    const fileResponse = await act(`POST ${B}/files`, uploadForm('handbook.txt', 'All of it.'))
    await act(`DELETE ${B}/files/{fileId}`, { params: { fileId: fileResponse.body.files[0].id } })
    const response = await act(`POST ${B}/answers`, { body: { question: 'Who repairs?', answer: 'We do.' } })
    const ofAnswer = { answerId: response.body.id as string }
    await act(`PATCH ${B}/answers/{answerId}`, { params: ofAnswer, body: { answer: 'We do, on weekdays.' } })
    await act(`DELETE ${B}/answers/{answerId}`, { params: ofAnswer })
    await act(`POST ${B}/answers/import`, { body: { answers: [{ question: 'Why?', answer: 'Because.' }] } })
    const question = await act(`POST ${B}/test-questions`, { body: { question: 'Who tests?' } })
    const ofQuestion = { questionId: question.body.id as string }
    await act(`PATCH ${B}/test-questions/{questionId}`, { params: ofQuestion, body: { expected_text: 'We do' } })
    await act(`POST ${B}/test-runs`)
    await act(`DELETE ${B}/test-questions/{questionId}`, { params: ofQuestion })
    const crawl = await act(`POST ${B}/crawls`, { body: { url: 'https://site.test/CANARY-in-the-path' } })
    const ofCrawl = { crawlId: crawl.body.id as string }
    await act(`PATCH ${B}/crawls/{crawlId}`, { params: ofCrawl, body: { max_pages: 5 } })
    await act(`POST ${B}/crawls/{crawlId}/stop`, { params: ofCrawl })
    await act(`POST ${B}/crawls/{crawlId}/run`, { params: ofCrawl })
    await act(`DELETE ${B}/crawls/{crawlId}`, { params: ofCrawl })
    const channels = `${B}/notification-channels`
    const slack = { kind: 'slack', url: 'https://hooks.test/CANARY', name: 'Team' }
    const channel = await act(`POST ${channels}`, { body: slack })
    const ofChannel = { channelId: channel.body.id as string }
    const newSettings = { name: 'Team', url: 'https://hooks.test/CANARY-2', waiting_minutes: 5, include_details: false }
    await act(`PATCH ${channels}/{channelId}`, { params: ofChannel, body: newSettings })
    const feed = await act(`POST ${B}/feeds`, { body: { url: 'https://canary:canary@shop.test/canary.xml?t=canary' } })
    const ofFeed = { feedId: feed.body.id as string }
    await act(`PATCH ${B}/feeds/{feedId}`, { params: ofFeed, body: { paused: true } })
    await act(`POST ${B}/feeds/{feedId}/run`, { params: ofFeed })
    await act(`DELETE ${B}/feeds/{feedId}`, { params: ofFeed })

    const syncKey = await createSyncKey(call, ofBot.botId)
    await syncProducts(call, syncKey, [{ id: '1', title: 'Tent' }])
    await syncProducts(call, syncKey, { products: [], delete: ['1'] })

    const visitor = createVisitor(call, ofBot.botId)
    await visitor.say('I want to talk to a human, please')
    await visitor.post('lead', { fields: { name: 'Ada CANARY', email: 'canary@example.test' } })
    const [conversation] = (await act(`GET ${B}/conversations`)).body.items
    const one = { params: { conversationId: conversation.id as string } }
    await act(`POST ${B}/conversations/{conversationId}/accept`, one)
    await act(`POST ${B}/conversations/{conversationId}/accept`, one)
    await act(`POST ${B}/conversations/{conversationId}/messages`, { ...one, body: { text: 'CANARY hello' } })
    await act(`POST ${B}/conversations/{conversationId}/close`, one)
    await act(`POST ${B}/conversations/{conversationId}/close`, one)
    await act(`POST ${B}/conversations/{conversationId}/messages`, { ...one, body: { text: 'Still there?' } })
    const [lead] = (await act(`GET ${B}/leads`)).body.items
    await act(`DELETE ${B}/leads/{leadId}`, { params: { leadId: lead.id } })

    const entries = (await entriesOf(call, workspaceId))
      .toReversed()
      .filter(({ action }) => /^(doc|fil|ans|tes|cra|not|fee|pro|con|lea)/.test(action))
    const about = (text: string | null) => text?.replace(`Helper (${ofBot.botId}): `, '')
    expect(entries.map(({ action, target }) => [action, about(target)])).toEqual([
      ['documents.imported', '1 new, 0 changed'],
      ['document.deleted', 'Returns (returns)'],
      ['files.uploaded', 'handbook.txt'],
      ['file.deleted', 'handbook.txt'],
      ['answer.created', 'Who repairs?'],
      ['answer.changed', 'Who repairs?'],
      ['answer.deleted', 'Who repairs?'],
      ['answers.imported', '1 new, 0 changed'],
      ['test_question.created', 'Who tests?'],
      ['test_question.changed', 'Who tests?'],
      ['test_run.started', '1'],
      ['test_question.deleted', 'Who tests?'],
      ['crawl.created', `site.test (${ofCrawl.crawlId})`],
      ['crawl.changed', `site.test (${ofCrawl.crawlId}): max_pages`],
      ['crawl.stopped', `site.test (${ofCrawl.crawlId})`],
      ['crawl.started', `site.test (${ofCrawl.crawlId})`],
      ['crawl.deleted', `site.test (${ofCrawl.crawlId})`],
      ['notification_channel.created', `Team (${ofChannel.channelId})`],
      ['notification_channel.changed', `Team (${ofChannel.channelId}): url, waiting_minutes, include_details`],
      ['feed.created', `shop.test (${ofFeed.feedId})`],
      ['feed.changed', `shop.test (${ofFeed.feedId}): paused`],
      ['feed.started', `shop.test (${ofFeed.feedId})`],
      ['feed.deleted', `shop.test (${ofFeed.feedId})`],
      ['products.removed', '1'],
      ['conversation.taken_over', conversation.id],
      ['conversation.handed_back', conversation.id],
      ['conversation.taken_over', conversation.id],
      ['lead.deleted', lead.id],
    ])
    expect(new Set(entries.map(({ actor }) => actor.split(' key')[0]))).toEqual(new Set([editor.email, 'sync']))
    expect(JSON.stringify(entries)).not.toMatch(/canary/i)
  })

  test('records successful and failed logins and account changes', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    await logIn(server.call, owner.email)
    await logIn(server.call, owner.email, 'wrong password')
    await logIn(server.call, 'nobody@example.test', 'wrong password')
    await owner.call(`POST ${MANAGE}/account/password`, {
      body: { current_password: PASSWORD, new_password: 'CANARY another giraffe 7' },
    })
    await owner.call(`DELETE ${MANAGE}/session`)
    const actions = async () => (await entriesOf(server.call, 'ws_instance')).map(({ action }) => action)
    // A failed login is recorded while it is answered, not before.
    await waitFor(async () => (await actions()).length >= 4, 'four entries')
    expect((await actions()).sort()).toEqual(['login.failed', 'login.succeeded', 'logout', 'password.changed'])
    for (const { actor } of await entriesOf(server.call, 'ws_instance')) expect(actor).toBe(owner.email)
  })

  test('deletes entries past their retention period, and no newer ones', async () => {
    const database = await createTestDatabase(engine)
    const { auditEntries, workspaces, close } = await openStorage({ ...database, databasePoolSize: 2 }, 0)
    await workspaces.insert({
      id: 'ws_a',
      name: 'A',
      plan: 'free',
      dailyLimit: null,
      totalDailyLimit: null,
      createdAt: 0,
    })
    const entry = { actor: 'a', action: 'logout', target: null, ip: null } as const
    for (const at of [10, 20]) await auditEntries.insert('ws_a', { ...entry, id: `aud_${at}`, at })
    await auditEntries.forget(20)
    expect((await auditEntries.list('ws_a', { sort: '-at', after: null, limit: 9 })).map(({ at }) => at)).toEqual([20])
    await close()
  })
})

// Not worth an audit entry: previews and drafts, chat activity, read marks, resent deliveries, triage of lists.
const withoutAudit =
  /\/(try|website-preview|propose|drafts|typing|notes|read|saved-filters|availability|test|replay|dismiss|restore)$/

const changes = routeTable.filter(
  ([route, { caller }]) =>
    ['management', 'instance_owner'].includes(caller) && !route.startsWith('GET ') && !withoutAudit.test(route),
)

test('every route that changes something leaves an entry', async () => {
  const { call } = await startServer('sqlite', { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  const silent: string[] = []
  let lastTenant: Tenant | null = null
  for (const [index, [route, spec]] of changes.entries()) {
    const tenant: Tenant = lastTenant ?? (await createTenant(call, `tenant${index}`))
    lastTenant = usesUpTenant(route) ? null : tenant
    const target = await createMember(call, tenant.workspaceId, 'viewer', `target${index}`)
    if (/(reset-link|two-factor|email)$/.test(route))
      await joinWorkspace(call, tenant.workspaceId, 'viewer', `viewer-target${index}@example.test`)
    const { memberId, tokenId } = route.includes('{memberId}') ? target : tenant
    const options = { params: { ...tenant, memberId, tokenId }, ...sampleRequest(spec) }
    if (route.endsWith('/answer-proposals'))
      options.body = { conversation_id: tenant.repliedConversationId, message_id: tenant.proposedReplyId }
    // Only a conversation that was taken over can be handed back.
    if (route.endsWith('/close')) await call(route.replace('close', 'accept'), { token: tenant.token, ...options })
    const before = await entriesOf(call, tenant.workspaceId)
    const isOwners = spec.caller === 'instance_owner' || spec.errors.includes('reauthentication_required')
    const token = isOwners ? ADMIN_TOKEN : tenant.token
    const response = await call(route, { token, ...options })
    expect([route, response.status]).toEqual([route, spec.status])
    const after = await entriesOf(call, route === `POST ${MANAGE}/workspaces` ? response.body.id : tenant.workspaceId)
    if (after[0]?.id === before[0]?.id) silent.push(route)
  }
  expect(silent).toEqual([])
})
