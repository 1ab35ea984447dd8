import { DEFAULT_DAILY_LIMIT, Fault, type Key, type Overlap, overlaps } from '@docent/contract'
import type { Audit } from '../access/audit.ts'
import type { ChatKeys } from '../access/chat-keys.ts'
import type { FindBot, Manager } from '../access/managers.ts'
import { makeSecret, secretPrefixes } from '../access/secrets.ts'
import { utcDay } from '../days.ts'
import type { SwitchWebhook } from '../events/switch-webhook.ts'
import type { WebhookSecrets } from '../events/webhook-secrets.ts'
import { randomId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { KeyKind, KeyMirror, KeyRecord, KeysTable, KeyUse } from '../storage/keys.ts'
import type { WebhooksTable } from '../storage/webhooks.ts'
import type { WorkspacesTable } from '../storage/workspaces.ts'
import { namedFields } from './audit.ts'
import { page } from './paging.ts'
import type { Route } from './route.ts'
import { parseExpiry, timestamp, timestampOrNull } from './times.ts'
import { newWebhook, requireAllowed } from './webhooks.ts'

interface Deps {
  keys: KeysTable
  webhooks: WebhooksTable
  secrets: WebhookSecrets
  switchWebhook: Pick<SwitchWebhook, 'remove'>
  /** Why a URL may not be called, or null. */
  refusal: (url: string) => Promise<string | null>
  onWebhookChanged: (webhookId: string) => void
  workspaces: Pick<WorkspacesTable, 'find'>
  findBot: FindBot
  chatKeys: ChatKeys
  audit: Audit
  clock: () => number
}

const DEFAULT_OVERLAP: Overlap = '24h'

export function keyRoutes(route: Route, deps: Deps) {
  const { keys, webhooks, secrets, switchWebhook, refusal, onWebhookChanged, workspaces, findBot } = deps
  const { chatKeys, audit, clock } = deps

  async function keyOf(manager: Manager, params: { botId: string; keyId: string }) {
    const bot = await findBot(manager, params.botId)
    const key = await keys.find(bot.id, params.keyId, utcDay(clock()))
    if (!key) throw new Fault('not_found')
    return { bot, key }
  }

  async function activeKeyOf(manager: Manager, params: { botId: string; keyId: string }) {
    const found = await keyOf(manager, params)
    if (stateOf(found.key, clock()) !== 'active') throw new Fault('key_not_active')
    return found
  }

  /** What only the instance owner may set is refused to others, not dropped. */
  function requireOwnerFor(manager: Manager, dailyLimit: number | null | undefined) {
    if (dailyLimit !== undefined && manager.kind !== 'instance_owner') throw new Fault('role_required')
  }

  async function shape(bot: BotRecord): Promise<(key: KeyRecord & KeyUse & KeyMirror) => Key> {
    const workspace = await workspaces.find(bot.workspaceId)
    const inherited = workspace?.dailyLimit ?? DEFAULT_DAILY_LIMIT
    return (key) => toKey(key, inherited, clock())
  }

  function newKey(kind: KeyKind, bot: BotRecord, name: string, manager: Manager) {
    const { secret, hash, lastFour } = makeSecret(kind)
    const record: KeyRecord = {
      botId: bot.id,
      id: randomId('key'),
      kind,
      name,
      hash,
      lastFour,
      createdBy: manager.name,
      createdAt: clock(),
      expiresAt: null,
      revokedAt: null,
      replacedAt: null,
      dailyLimit: null,
    }
    return { secret, record }
  }

  async function newMirror({ botId, id }: KeyRecord, url: string) {
    await requireAllowed(url, 'webhook_url', refusal)
    return newWebhook(botId, id, url, secrets, clock())
  }

  /** Another address keeps the secret; the first one makes it, and it is shown. */
  async function setMirror({ botId, id, mirror: old }: KeyRecord & KeyMirror, url: string | null) {
    if (url === null) {
      if (old) await switchWebhook.remove({ botId, id: old.id })
      if (old) onWebhookChanged(old.id)
      return {}
    }
    const { record, secret } = newWebhook(botId, id, url, secrets, clock())
    const kept = await webhooks.mirror(record)
    onWebhookChanged(kept.id)
    return kept.id === record.id ? { webhook_secret: secret } : {}
  }

  /** The successor mirrors to the same place under the same secret, so that the receiver needs no change. */
  async function inheritedMirror(old: KeyRecord & KeyMirror, successor: KeyRecord) {
    const before = await webhooks.findMirror(old.botId, old.id)
    if (!before) return null
    const [secret] = secrets.open(before, clock())
    if (secret === undefined) throw new Error('the secret of a mirror cannot be read with the SECRET_KEY of this node')
    const { record } = newWebhook(old.botId, successor.id, before.url, secrets, clock())
    return { ...record, secret: secrets.seal(record.id, secret) }
  }

  route('POST /api/manage/v1/bots/{botId}/keys', async ({ caller, params, body, request }) => {
    const bot = await findBot(caller, params.botId)
    requireOwnerFor(caller, body.daily_limit)
    const { secret, record } = newKey('chat', bot, body.name.trim(), caller)
    record.expiresAt = parseExpiry(body.expires_at, clock()) ?? null
    record.dailyLimit = body.daily_limit ?? null
    const mirror = body.webhook_url ? await newMirror(record, body.webhook_url) : null
    await keys.insert(record, mirror ? [webhooks.insertion(mirror.record)] : [])
    await audit.did({ caller, request }, bot.workspaceId, 'key.created', titled(record))
    const key = (await shape(bot))({ ...record, ...unused, mirror: mirror?.record ?? null })
    return { ...key, key: secret, ...(mirror ? { webhook_secret: mirror.secret } : {}) }
  })

  route('GET /api/manage/v1/bots/{botId}/keys', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (after, limit) => keys.list(bot.id, utcDay(clock()), after, limit), await shape(bot))
  })

  route('GET /api/manage/v1/bots/{botId}/keys/{keyId}', async ({ caller, params }) => {
    const { bot, key } = await keyOf(caller, params)
    return (await shape(bot))(key)
  })

  route('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', async ({ caller, params, body, request }) => {
    const { bot, key } = await activeKeyOf(caller, params)
    requireOwnerFor(caller, body.daily_limit)
    if (body.webhook_url) await requireAllowed(body.webhook_url, 'webhook_url', refusal)
    const changed = await keys.update(bot.id, key.id, {
      name: body.name?.trim(),
      expiresAt: parseExpiry(body.expires_at, clock()),
      dailyLimit: body.daily_limit,
    })
    if (!changed) throw new Fault('key_not_active')
    const shown = body.webhook_url === undefined ? {} : await setMirror(key, body.webhook_url)
    chatKeys.forget()
    const fields = namedFields('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', body)
    await audit.did({ caller, request }, bot.workspaceId, 'key.changed', `${titled(key)}: ${fields}`)
    return { ...(await shape(bot))((await keyOf(caller, params)).key), ...shown }
  })

  route('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', async ({ caller, params, request }) => {
    const { bot, key } = await keyOf(caller, params)
    await keys.revoke(bot.id, key.id, clock())
    chatKeys.forget()
    await audit.did({ caller, request }, bot.workspaceId, 'key.revoked', titled(key))
    return (await shape(bot))({ ...key, revokedAt: key.revokedAt ?? clock() })
  })

  route('POST /api/manage/v1/bots/{botId}/keys/{keyId}/rotate', async ({ caller, params, body, request }) => {
    const { bot, key: old } = await activeKeyOf(caller, params)
    const { secret, record } = newKey('chat', bot, old.name, caller)
    // The owner's own end: a key that ends because it was replaced is not replaced again.
    record.expiresAt = old.expiresAt
    record.dailyLimit = old.dailyLimit
    const endsAt = clock() + overlaps[body.overlap ?? DEFAULT_OVERLAP]
    const mirror = await inheritedMirror(old, record)
    const together = mirror ? [webhooks.insertion(mirror)] : []
    if (!(await keys.replace(old.id, endsAt, record, together))) throw new Fault('key_not_active')
    chatKeys.forget()
    await audit.did({ caller, request }, bot.workspaceId, 'key.rotated', `${titled(old)} → ${record.id}`)
    return { ...(await shape(bot))({ ...record, ...unused, mirror }), key: secret }
  })

  route('POST /api/manage/v1/bots/{botId}/sync-key', async ({ caller, params, body, request }) => {
    const bot = await findBot(caller, params.botId)
    const { secret, record } = newKey('sync', bot, 'product sync', caller)
    await keys.replaceSyncKeys(clock() + overlaps[body.overlap ?? DEFAULT_OVERLAP], record)
    await audit.did({ caller, request }, bot.workspaceId, 'sync_key.rotated', bot.id)
    return { key: secret, last_four: record.lastFour, created_at: timestamp(record.createdAt) }
  })
}

const unused: KeyUse = { lastCallAt: null, callsToday: 0 }

function titled({ id, name }: KeyRecord): string {
  return `${name} (${id})`
}

function stateOf(key: KeyRecord, now: number): Key['state'] {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

function toKey(key: KeyRecord & KeyUse & KeyMirror, inheritedLimit: number, now: number): Key {
  return {
    id: key.id,
    bot_id: key.botId,
    name: key.name,
    prefix: secretPrefixes.chat,
    last_four: key.lastFour,
    state: stateOf(key, now),
    created_by: key.createdBy,
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastCallAt),
    expires_at: timestampOrNull(key.expiresAt),
    revoked_at: timestampOrNull(key.revokedAt),
    daily_limit: key.dailyLimit ?? inheritedLimit,
    calls_today: key.callsToday,
    webhook_url: key.mirror?.url ?? null,
    webhook_id: key.mirror?.id ?? null,
  }
}
