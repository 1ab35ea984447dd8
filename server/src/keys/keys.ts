// The verbs on API keys: create, change, rotate, revoke, list.
import {
  type BodyOf,
  DEFAULT_DAILY_LIMIT,
  Fault,
  type Key,
  type Overlap,
  overlaps,
  type Routes,
} from '@docent/contract'
import { type Audit, namedFields, titleOf } from '../access/audit.ts'
import type { ChatKeys } from '../access/keys.ts'
import type { FindBot, Manager, ManagerCall } from '../access/managers.ts'
import { makeSecret, parseExpiry } from '../access/secrets.ts'
import { utcDay } from '../days.ts'
import { randomId } from '../ids.ts'
import type { UrlProblem } from '../outbound/outbound.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { KeyKind, KeyMirror, KeyRecord, KeysTable, KeyUse } from '../storage/keys.ts'
import type { WebhookRecord, WebhooksTable } from '../storage/webhooks.ts'
import type { WorkspacesTable } from '../storage/workspaces.ts'
import type { WebhookSecrets } from '../webhooks/signing.ts'
import type { SwitchWebhook } from '../webhooks/switch-webhook.ts'
import { newWebhook, requireCallableUrl } from '../webhooks/webhooks.ts'

export interface KeyDeps {
  keys: KeysTable
  webhooks: WebhooksTable
  secrets: WebhookSecrets
  switchWebhook: Pick<SwitchWebhook, 'remove'>
  /** Why a URL may not be called, or null. */
  urlProblem: UrlProblem
  onWebhookChanged: (webhookId: string) => void
  workspaces: Pick<WorkspacesTable, 'find'>
  findBot: FindBot
  chatKeys: ChatKeys
  audit: Audit
  clock: () => number
}

type StoredKey = KeyRecord & KeyUse & KeyMirror

/** A key with derived fields. `dailyLimit` is the effective one, its own or the workspace's. */
export type KeyDetails = Omit<StoredKey, 'dailyLimit'> & { state: Key['state']; dailyLimit: number }

export async function findKey(deps: KeyDeps, manager: Manager, ids: { botId: string; keyId: string }) {
  const bot = await deps.findBot(manager, ids.botId)
  const key = await deps.keys.find(bot.id, ids.keyId, utcDay(deps.clock()))
  if (!key) throw new Fault('not_found')
  return { bot, key }
}

async function findActiveKey(deps: KeyDeps, manager: Manager, ids: { botId: string; keyId: string }) {
  const key = await findKey(deps, manager, ids)
  if (stateOf(key.key, deps.clock()) !== 'active') throw new Fault('key_not_active')
  return key
}

export async function describeKeys(deps: KeyDeps, bot: BotRecord, keys: StoredKey[]): Promise<KeyDetails[]> {
  const workspace = await deps.workspaces.find(bot.workspaceId)
  const workspaceLimit = workspace?.dailyLimit ?? DEFAULT_DAILY_LIMIT
  return keys.map((key) => ({
    ...key,
    state: stateOf(key, deps.clock()),
    dailyLimit: key.dailyLimit ?? workspaceLimit,
  }))
}

export async function describeKey(deps: KeyDeps, bot: BotRecord, key: StoredKey): Promise<KeyDetails> {
  const [details] = await describeKeys(deps, bot, [key])
  return details as KeyDetails
}

function stateOf(key: KeyRecord, now: number): Key['state'] {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

type NewKeyInput = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/keys']>

/** Returns the secrets, only this once. */
export async function createKey(deps: KeyDeps, call: ManagerCall, botId: string, input: NewKeyInput) {
  const { keys, webhooks, findBot, audit, clock } = deps
  const bot = await findBot(call.caller, botId)
  requireOwnerFor(call.caller, input.daily_limit)
  const { secret, record } = newKey('chat', bot, input.name.trim(), call.caller, clock())
  record.expiresAt = parseExpiry(input.expires_at, clock()) ?? null
  record.dailyLimit = input.daily_limit ?? null
  const mirror = input.webhook_url ? await newMirror(deps, record, input.webhook_url) : null
  await keys.insert(record, mirror ? [webhooks.insertion(mirror.record)] : [])
  await audit.record(call, bot.workspaceId, 'key.created', titleOf(record))
  const key = await describeKey(deps, bot, { ...record, ...neverUsed, mirror: mirror?.record ?? null })
  return { key, secret, webhookSecret: mirror?.secret }
}

export async function updateKey(
  deps: KeyDeps,
  call: ManagerCall,
  ids: { botId: string; keyId: string },
  input: BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/keys/{keyId}']>,
) {
  const { keys, chatKeys, audit, urlProblem, clock } = deps
  const { bot, key } = await findActiveKey(deps, call.caller, ids)
  requireOwnerFor(call.caller, input.daily_limit)
  if (input.webhook_url) await requireCallableUrl(input.webhook_url, 'webhook_url', urlProblem)
  const changedKey = await keys.update(bot.id, key.id, {
    name: input.name?.trim(),
    expiresAt: parseExpiry(input.expires_at, clock()),
    dailyLimit: input.daily_limit,
  })
  if (!changedKey) throw new Fault('key_not_active')
  const webhookSecret = input.webhook_url === undefined ? undefined : await setMirror(deps, key, input.webhook_url)
  chatKeys.forget()
  const fields = namedFields('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', input)
  await audit.record(call, bot.workspaceId, 'key.changed', `${titleOf(key)}: ${fields}`)
  const after = await findKey(deps, call.caller, ids)
  return { key: await describeKey(deps, bot, after.key), webhookSecret }
}

/** Both keys work during the overlap. */
const DEFAULT_OVERLAP: Overlap = '24h'

export async function rotateKey(
  deps: KeyDeps,
  call: ManagerCall,
  ids: { botId: string; keyId: string },
  overlap: Overlap = DEFAULT_OVERLAP,
) {
  const { keys, webhooks, chatKeys, audit, clock } = deps
  const { bot, key: old } = await findActiveKey(deps, call.caller, ids)
  const { secret, record } = newKey('chat', bot, old.name, call.caller, clock())
  // The expiry its owner set; `rotate` checks that the old key has not already been rotated.
  record.expiresAt = old.expiresAt
  record.dailyLimit = old.dailyLimit
  const mirror = await inheritMirror(deps, old, record)
  const together = mirror ? [webhooks.insertion(mirror)] : []
  if (!(await keys.rotate(old.id, clock() + overlaps[overlap], record, together))) throw new Fault('key_not_active')
  chatKeys.forget()
  await audit.record(call, bot.workspaceId, 'key.rotated', `${titleOf(old)} → ${record.id}`)
  return { key: await describeKey(deps, bot, { ...record, ...neverUsed, mirror }), secret }
}

export async function rotateSyncKey(
  { keys, findBot, audit, clock }: KeyDeps,
  call: ManagerCall,
  botId: string,
  overlap: Overlap = DEFAULT_OVERLAP,
) {
  const bot = await findBot(call.caller, botId)
  const { secret, record } = newKey('sync', bot, 'product sync', call.caller, clock())
  await keys.rotateSyncKeys(clock() + overlaps[overlap], record)
  await audit.record(call, bot.workspaceId, 'sync_key.rotated', titleOf(bot))
  return { secret, record }
}

export async function revokeKey(deps: KeyDeps, call: ManagerCall, ids: { botId: string; keyId: string }) {
  const { keys, chatKeys, audit, clock } = deps
  const { bot, key } = await findKey(deps, call.caller, ids)
  await keys.revoke(bot.id, key.id, clock())
  chatKeys.forget()
  await audit.record(call, bot.workspaceId, 'key.revoked', titleOf(key))
  return describeKey(deps, bot, { ...key, revokedAt: key.revokedAt ?? clock() })
}

const neverUsed: KeyUse = { lastCallAt: null, callsToday: 0 }

function newKey(kind: KeyKind, bot: BotRecord, name: string, manager: Manager, now: number) {
  const { secret, hash, lastFour } = makeSecret(kind)
  const record: KeyRecord = {
    botId: bot.id,
    id: randomId('key'),
    kind,
    name,
    hash,
    lastFour,
    createdBy: manager.name,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    dailyLimit: null,
  }
  return { secret, record }
}

/** Only the instance owner may set limits: refuse others rather than silently dropping the field. */
function requireOwnerFor(manager: Manager, dailyLimit: number | null | undefined) {
  if (dailyLimit !== undefined && manager.kind !== 'instance_owner') throw new Fault('role_required')
}

async function newMirror({ urlProblem, secrets, clock }: KeyDeps, { botId, id }: KeyRecord, url: string) {
  await requireCallableUrl(url, 'webhook_url', urlProblem)
  return newWebhook(botId, id, url, secrets, clock())
}

/** Returns the secret when the first URL creates one; changing the URL keeps it. */
async function setMirror(
  { webhooks, secrets, switchWebhook, onWebhookChanged, clock }: KeyDeps,
  { botId, id, mirror: old }: KeyRecord & KeyMirror,
  url: string | null,
): Promise<string | undefined> {
  if (url === null) {
    if (old) await switchWebhook.remove({ botId, id: old.id })
    if (old) onWebhookChanged(old.id)
    return undefined
  }
  const { record, secret } = newWebhook(botId, id, url, secrets, clock())
  const webhook = await webhooks.mirror(record)
  onWebhookChanged(webhook.id)
  return webhook.id === record.id ? secret : undefined
}

/** The successor keeps the mirror's URL and secret, so that the receiver needs no change. */
async function inheritMirror(
  { webhooks, secrets, clock }: KeyDeps,
  old: KeyRecord,
  successor: KeyRecord,
): Promise<WebhookRecord | null> {
  const before = await webhooks.findMirror(old.botId, old.id)
  if (!before) return null
  const [secret] = secrets.open(before, clock())
  if (secret === undefined) throw new Error('the secret of a mirror cannot be read with the SECRET_KEY of this node')
  const { record } = newWebhook(old.botId, successor.id, before.url, secrets, clock())
  return { ...record, secret: secrets.seal(record.id, secret) }
}
