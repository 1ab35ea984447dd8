// Dependencies shared by all key operations.
import { DEFAULT_DAILY_LIMIT, Fault, type Key } from '@docent/contract'
import type { Audit } from '../access/audit.ts'
import type { ChatKeys } from '../access/chat-keys.ts'
import type { FindBot, Manager } from '../access/managers.ts'
import { utcDay } from '../days.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { KeyMirror, KeyRecord, KeysTable, KeyUse } from '../storage/keys.ts'
import type { WebhooksTable } from '../storage/webhooks.ts'
import type { WorkspacesTable } from '../storage/workspaces.ts'
import type { WebhookSecrets } from '../webhooks/signing.ts'
import type { SwitchWebhook } from '../webhooks/switch-webhook.ts'

export interface KeyDeps {
  keys: KeysTable
  webhooks: WebhooksTable
  secrets: WebhookSecrets
  switchWebhook: Pick<SwitchWebhook, 'remove'>
  /** Why a URL may not be called, or null. */
  urlProblem: (url: string) => Promise<string | null>
  onWebhookChanged: (webhookId: string) => void
  workspaces: Pick<WorkspacesTable, 'find'>
  findBot: FindBot
  chatKeys: ChatKeys
  audit: Audit
  clock: () => number
}

export type StoredKey = KeyRecord & KeyUse & KeyMirror

/** A key with derived fields. `dailyLimit` is the effective one, its own or the workspace's. */
export type KeyDetails = Omit<StoredKey, 'dailyLimit'> & { state: Key['state']; dailyLimit: number }

export async function findKey(deps: KeyDeps, manager: Manager, ids: { botId: string; keyId: string }) {
  const bot = await deps.findBot(manager, ids.botId)
  const key = await deps.keys.find(bot.id, ids.keyId, utcDay(deps.clock()))
  if (!key) throw new Fault('not_found')
  return { bot, key }
}

export async function findActiveKey(deps: KeyDeps, manager: Manager, ids: { botId: string; keyId: string }) {
  const found = await findKey(deps, manager, ids)
  if (stateOf(found.key, deps.clock()) !== 'active') throw new Fault('key_not_active')
  return found
}

export async function describeKeys(deps: KeyDeps, bot: BotRecord, keys: StoredKey[]): Promise<KeyDetails[]> {
  const workspace = await deps.workspaces.find(bot.workspaceId)
  const inherited = workspace?.dailyLimit ?? DEFAULT_DAILY_LIMIT
  return keys.map((key) => ({
    ...key,
    state: stateOf(key, deps.clock()),
    dailyLimit: key.dailyLimit ?? inherited,
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
