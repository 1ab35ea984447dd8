// Syncs a catalogue: reads all of it, decides, then writes. So a truncated body, a dry run or a refused replace
// changes nothing, wherever the options are in the request. Upserts are written in small transactions; removal
// comes last, in one.
import { Fault, type SyncOptions, type SyncRemark, type SyncReport } from '@docent/contract'
import { type Audit, titleOf } from '../../access/audit.ts'
import { DAY_MS } from '../../days.ts'
import { randomId, timedId } from '../../ids.ts'
import type { BotsTable } from '../../storage/bots.ts'
import { StorageError } from '../../storage/database.ts'
import type { PresentedKey } from '../../storage/keys.ts'
import type { ProductReplacementsTable, ProductSyncsTable, Replacement } from '../../storage/product-syncs.ts'
import type { ProductsTable, ProductToStore } from '../../storage/products.ts'
import type { BackgroundLane } from '../background-lane.ts'
import { type ParsedProducts, readProducts, type StagedRows, type SyncEntry, stageRows } from './read-products.ts'

const HOUR_MS = 3_600_000
const DELETED_AT_ONCE = 64
const KNOWN_AT_ONCE = 512
const PROBED = 8

interface Deps {
  products: Pick<ProductsTable, 'rowsAtOnce' | 'hashes' | 'store' | 'remove' | 'removeUnsent' | 'count'>
  productReplacements: ProductReplacementsTable
  productSyncs: Pick<ProductSyncsTable, 'insert'>
  /** Where large catalogues are staged. */
  stagingFolder: string
  /** Called and awaited after changes, so that they are searchable when the response is sent. */
  onProductsChanged: (bot: SyncedBot) => Promise<void>
  lane: Pick<BackgroundLane, 'nextSlice' | 'isBusy'>
  clock: () => number
}

interface SyncRequest {
  entries: AsyncIterable<SyncEntry[]>
  /** Called after all entries are read: options may follow the items. */
  options: () => SyncOptions
  /** Returns further products to remove, after all entries are read. */
  removals?: (parsedIds: ParsedIds) => Promise<string[]>
}

export type ParsedIds = Pick<ParsedProducts, 'received' | 'ids' | 'failedIds'>

interface SyncOutcome {
  report: SyncReport
  everyItemFailed: boolean
}

interface SyncedBot {
  id: string
  language: string
  siteUrl: string | null
  currency: string | null
}

export type SyncProducts = (bot: SyncedBot, request: SyncRequest) => Promise<SyncOutcome>

export function makeSyncProducts(deps: Deps): SyncProducts {
  const { productSyncs, stagingFolder, onProductsChanged, clock } = deps

  return async (bot, { entries, options: readOptions, removals }) => {
    const startedAt = clock()
    const stagedRows = stageRows(stagingFolder)
    try {
      const parsedProducts = await readProducts(
        entries,
        stagedRows,
        { siteUrl: bot.siteUrl, now: startedAt },
        deps.lane.nextSlice,
      )
      const options = readOptions()
      const report = newReport(parsedProducts, options, bot)
      const everyItemFailed = parsedProducts.received > 0 && parsedProducts.failed === parsedProducts.received
      const run = { deps, bot, read: parsedProducts, staged: stagedRows, options, report }
      if (everyItemFailed) {
        await recordFailed(run)
        return { report, everyItemFailed: await record(true) }
      }
      for (const id of (await removals?.(parsedProducts)) ?? []) parsedProducts.deleteIds.add(id)
      if (options.dry_run) await reportDryRun(run)
      else if (options.mode === 'replace') await replace(run)
      else await upsert(run, null)
      if (options.dry_run) return { report, everyItemFailed }
      if (report.created + report.updated + report.deleted > 0) await onProductsChanged(bot)
      return { report, everyItemFailed: await record(false) }

      async function record(hasFailed: boolean) {
        const sync = { id: timedId('syn', clock()), startedAt, finishedAt: clock(), report: JSON.stringify(report) }
        if (!options.dry_run) await productSyncs.insert(bot.id, sync)
        return hasFailed
      }
    } finally {
      await stagedRows.close()
    }
  }
}

interface Run {
  deps: Deps
  bot: Pick<SyncedBot, 'id' | 'currency'>
  read: ParsedProducts
  staged: StagedRows
  options: SyncOptions
  report: SyncReport
}

async function replace(run: Run) {
  const { deps, bot, read, options, report } = run
  const isFinal = options.sync_id === undefined || options.final === true
  const session = await join(run, isFinal)
  if (session.kind === 'expired') throw new Fault('sync_expired')
  if (session.kind === 'repeated') {
    if (session.report) Object.assign(report, JSON.parse(session.report))
    else await upsert(run, null)
    return
  }
  const mayBeEmpty = isFinal && !options.confirm_empty && read.ids.size + read.failedIds.size === 0
  if (mayBeEmpty && !(await deps.productReplacements.hasSent(bot.id, session.id))) {
    await deps.productReplacements.drop(bot.id, session.id)
    throw new Fault('empty_replace')
  }
  await upsert(run, session.id)
  if (!isFinal) return
  const now = deps.clock()
  const removal = { botId: bot.id, replacementId: session.id, abandonedBefore: now - HOUR_MS, now }
  report.deleted += (await deps.products.removeUnsent(removal)) ?? 0
  await deps.productReplacements.saveReport(bot.id, session.id, JSON.stringify(report))
  await deps.productReplacements.forgetSightings(bot.id)
}

/** A refused part of a multi-request replace changes nothing, but the final one must keep the products it names. */
async function recordFailed(run: Run) {
  const { deps, bot, read, options } = run
  if (options.mode !== 'replace' || options.sync_id === undefined || options.dry_run) return
  const session = await join(run, options.final === true)
  if (session.kind === 'expired') throw new Fault('sync_expired')
  if (session.kind === 'open') await deps.products.store(bot.id, [], [...read.failedIds], session.id, deps.clock())
}

function join({ deps, bot, read, report }: Run, isFinal: boolean): Promise<Replacement> {
  const now = deps.clock()
  return deps.productReplacements.join({
    id: timedId('rpl', now),
    botId: bot.id,
    syncId: report.sync_id,
    hash: read.hash,
    isFinal,
    now,
    expireBefore: now - DAY_MS,
    forgetBefore: now - 30 * DAY_MS,
  })
}

async function upsert(run: Run, replacementId: string | null) {
  const { deps, bot, read, report } = run
  let seenIds = replacementId ? [...read.failedIds] : []
  for await (const rows of pieces(run)) {
    if (replacementId === null && (await areKnown(deps, bot.id, rows))) {
      report.unchanged += rows.length
      continue
    }
    const counts = await deps.products.store(bot.id, rows, seenIds, replacementId, deps.clock())
    report.created += counts.created
    report.updated += counts.updated
    report.unchanged += counts.unchanged
    seenIds = []
  }
  if (seenIds.length > 0) await deps.products.store(bot.id, [], seenIds, replacementId, deps.clock())
  const deleteIds = deletions(read)
  for (let start = 0; start < deleteIds.length; start += DELETED_AT_ONCE) {
    await deps.lane.nextSlice()
    report.deleted += await deps.products.remove(bot.id, deleteIds.slice(start, start + DELETED_AT_ONCE))
  }
}

/** Computes a dry run's report. */
async function reportDryRun(run: Run) {
  const { deps, bot, read, options, report } = run
  const isFinal = options.mode === 'replace' && (options.sync_id === undefined || options.final === true)
  const sentBefore = isFinal && options.sync_id ? await deps.productReplacements.countSent(bot.id, options.sync_id) : 0
  if (isFinal && !options.confirm_empty && read.ids.size + read.failedIds.size + sentBefore === 0) {
    throw new Fault('empty_replace')
  }
  for await (const rows of pieces(run)) {
    const knownHashes = await deps.products.hashes(
      bot.id,
      rows.map(({ id }) => id),
    )
    for (const { id, hash } of rows) {
      if (!knownHashes.has(id)) report.created++
      else if (knownHashes.get(id) === hash) report.unchanged++
      else report.updated++
    }
  }
  if (isFinal) {
    const keptCount = await countKnown(deps, bot.id, [...read.ids, ...read.failedIds])
    report.deleted = Math.max(0, (await deps.products.count(bot.id)) - keptCount - sentBefore)
  } else report.deleted = await countKnown(deps, bot.id, deletions(read))
}

/** Batches of rows to write, each in its own slice. */
async function* pieces({ deps: { products, lane }, bot, staged, options, report }: Run) {
  for await (const block of staged.blocks({ request: options.currency ?? null, bot: bot.currency })) {
    const rows = lastPerId(block, report)
    for (let start = 0, size = 0; start < rows.length; start += size) {
      await lane.nextSlice()
      size = products.rowsAtOnce(lane.isBusy())
      yield rows.slice(start, start + size)
    }
  }
}

/** Of several items with one id the last wins; earlier ones are still counted. */
function lastPerId(block: ProductToStore[], report: SyncReport): ProductToStore[] {
  const byId = new Map<string, ProductToStore>()
  for (const row of block) {
    const before = byId.get(row.id)
    if (before) before.hash === row.hash ? report.unchanged++ : report.updated++
    byId.set(row.id, row)
  }
  return [...byId.values()]
}

/** Then nothing has to be written. Checking a few first avoids most full lookups. */
async function areKnown({ products }: Deps, botId: string, rows: ProductToStore[]): Promise<boolean> {
  const ids = rows.map(({ id }) => id)
  const some = await products.hashes(botId, ids.slice(0, PROBED))
  if (rows.slice(0, PROBED).some(({ id, hash }) => some.get(id) !== hash)) return false
  const knownHashes = await products.hashes(botId, ids)
  return rows.every(({ id, hash }) => knownHashes.get(id) === hash)
}

async function countKnown({ products, lane }: Deps, botId: string, ids: string[]): Promise<number> {
  let count = 0
  for (let start = 0; start < ids.length; start += KNOWN_AT_ONCE) {
    await lane.nextSlice()
    count += (await products.hashes(botId, ids.slice(start, start + KNOWN_AT_ONCE))).size
  }
  return count
}

function deletions({ ids, deleteIds }: ParsedProducts): string[] {
  return [...deleteIds].filter((id) => !ids.has(id))
}

function newReport(parsedProducts: ParsedProducts, options: SyncOptions, bot: Pick<SyncedBot, 'currency'>): SyncReport {
  const { received, failed, errors, withoutCurrency } = parsedProducts
  const isUnknown = withoutCurrency.count > 0 && !options.currency && !bot.currency
  const warnings = isUnknown ? [currencyMissing(withoutCurrency), ...parsedProducts.warnings] : parsedProducts.warnings
  return {
    sync_id: options.sync_id ?? randomId('sync'),
    mode: options.mode ?? 'upsert',
    dry_run: options.dry_run ?? false,
    received,
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    failed,
    errors,
    warnings,
  }
}

/** Told once: a catalogue that states no currency would crowd out all other warnings. */
function currencyMissing({ count, index, id }: ParsedProducts['withoutCurrency']): SyncRemark {
  const message = `The price has no currency, so it is shown without one (${count === 1 ? '1 product' : `${count} products`}). Send a currency with the product or the request, or set it for the bot.`
  return { index, id, code: 'currency_missing', message }
}

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
