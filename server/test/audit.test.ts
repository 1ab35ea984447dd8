// The audit log: who did what in a workspace, for its owners.
import type { AuditEntry } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { openStorage } from '../src/storage/storage.ts'
import type { Call } from './harness/call.ts'
import { engines } from './harness/databases.ts'
import { createWorkspace, join, logIn, M, PASSWORD, setUpOwner } from './harness/people.ts'
import { waitFor } from './harness/receiver.ts'
import { testDatabase } from './harness/start-process.ts'
import { ADMIN_TOKEN, startServer } from './harness/start-server.ts'
import { createMember } from './harness/tenants.ts'

const W = `${M}/workspaces/{workspaceId}`
const B = `${M}/bots/{botId}`

async function entriesOf(call: Call, workspaceId: string): Promise<AuditEntry[]> {
  const { body } = await call(`GET ${W}/audit`, { token: ADMIN_TOKEN, params: { workspaceId }, query: { limit: 200 } })
  return body.items
}

describe.each(engines)('the audit log on %s', (engine) => {
  test('tells what people and tokens did, newest first, in their own workspace only', async () => {
    const { call, clock } = await startServer(engine)
    const workspaceId = await createWorkspace(call)
    const other = await createWorkspace(call, 'Other')
    const owner = await join(call, workspaceId, 'owner')
    const params = { workspaceId }
    clock.now += 1000
    const bot = await owner.call(`POST ${M}/bots`, { body: { name: 'Helper' } })
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
    await owner.call(`PATCH ${B}`, { params: ofBot, body: { name: 'Helper', tone: 'casual' } })
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
    expect(targets['bot.changed']).toBe(`Helper (${bot.body.id}): name, tone`)
    expect(targets['key.changed']).toBe(`Shop (${key.body.id}): name`)
    expect(entries.at(-1)).toMatchObject({ at: new Date(clock.now).toISOString(), ip: '127.0.0.1' })
    expect(JSON.stringify(entries)).not.toContain('CANARY')
    expect((await entriesOf(call, other)).map(({ action }) => action)).toEqual(['workspace.created'])
  })

  test('tells log-ins, right and wrong, and what people do with their accounts', async () => {
    const server = await startServer(engine)
    const owner = await setUpOwner(server)
    await logIn(server.call, owner.email)
    await logIn(server.call, owner.email, 'wrong password')
    await logIn(server.call, 'nobody@example.test', 'wrong password')
    await owner.call(`POST ${M}/account/password`, {
      body: { current_password: PASSWORD, new_password: 'CANARY another giraffe 7' },
    })
    await owner.call(`DELETE ${M}/session`)
    const actions = async () => (await entriesOf(server.call, 'ws_instance')).map(({ action }) => action)
    // A wrong log-in is written down beside its answer, not before.
    await waitFor(async () => (await actions()).length >= 4, 'four entries')
    expect((await actions()).sort()).toEqual(['login.failed', 'login.succeeded', 'logout', 'password.changed'])
    for (const { actor } of await entriesOf(server.call, 'ws_instance')) expect(actor).toBe(owner.email)
  })

  test('forgets what is past its time, and nothing younger', async () => {
    const database = await testDatabase(engine)
    const { auditEntries, workspaces, close } = await openStorage({ ...database, databasePoolSize: 2 }, 0)
    await workspaces.insert({ id: 'ws_a', name: 'A', plan: 'free', dailyLimit: null, createdAt: 0 })
    const entry = { actor: 'a', action: 'logout', target: null, ip: null } as const
    for (const at of [10, 20]) await auditEntries.insert('ws_a', { ...entry, id: `aud_${at}`, at })
    await auditEntries.forget(20)
    expect((await auditEntries.list('ws_a', '', 9)).map(({ at }) => at)).toEqual([20])
    await close()
  })
})
