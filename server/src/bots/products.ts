import { Fault } from '@docent/contract'
import { type Audit, titleOf } from '../access/audit.ts'
import type { SyncProducts } from '../catalogue/products/sync-products.ts'
import type { BotsTable } from '../storage/bots.ts'
import { StorageError } from '../storage/database.ts'
import type { PresentedKey } from '../storage/keys.ts'

export interface SyncDeps {
  bots: Pick<BotsTable, 'find'>
  syncProducts: SyncProducts
  audit: Audit
}

interface SyncCall {
  caller: PresentedKey
  request: { ip: string }
}

/** Syncs products with a sync key. */
export async function syncBotProducts(
  { bots, syncProducts, audit }: SyncDeps,
  { caller: key, request }: SyncCall,
  input: Parameters<SyncProducts>[1],
) {
  const bot = await bots.find(key.workspaceId, key.botId)
  if (!bot) throw new Fault('invalid_sync_key')
  const sync = await syncProducts(bot, input).catch(refuseKeyOfDeletedBot)
  const { deleted, dry_run: isDryRun } = sync.report
  if (deleted > 0 && !isDryRun) {
    const actor = { caller: { actor: `sync key (${key.id})` }, request }
    await audit.record(actor, bot.workspaceId, 'products.removed', `${titleOf(bot)}: ${deleted}`)
  }
  return sync
}

/** The bot and its key were deleted while the body arrived. */
function refuseKeyOfDeletedBot(error: unknown): never {
  const isGone = error instanceof StorageError && error.kind === 'foreign_key'
  throw isGone ? new Fault('invalid_sync_key') : error
}
