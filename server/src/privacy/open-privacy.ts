// What is kept of people: exported on request, and deleted when its time is over.
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { type Part, repeatEverySecond } from '../lifecycle.ts'
import { inBatches } from '../storage/statements.ts'
import { makeExportVisitor } from './visitors.ts'

export type Privacy = ReturnType<typeof openPrivacy>

export function openPrivacy(context: Context) {
  const { config, onError } = context
  const part: Part = config.role === 'web' ? {} : repeatEverySecond(makeSweepRetention(context), onError)
  return { ...part, exportVisitor: makeExportVisitor(context) }
}

const HOUR_MS = 3_600_000
// Their sum stays well below the promised one day.
const CHECK_EVERY_MS = HOUR_MS
const EACH_BOT_EVERY_MS = 6 * HOUR_MS
const BOTS_AT_ONCE = 100
// Few, because on SQLite all other writers wait.
const CONVERSATIONS_AT_ONCE = 20

/**
 * Deletes data past its retention period in small batches; most calls do nothing. Any number of nodes may run it: each
 * bot is claimed by one, and what a stopping node leaves is done after the next start.
 */
function makeSweepRetention({ storage, isStopping, clock }: Context): () => Promise<void> {
  const { retention } = storage
  let nextCheckAt = 0

  return async () => {
    if (clock() < nextCheckAt) return
    nextCheckAt = clock() + CHECK_EVERY_MS
    for (let due = await listDue(); due.length > 0 && !isStopping(); due = await listDue()) {
      for (const { botId, retentionDays } of due) {
        if (isStopping()) return
        const now = clock()
        if (await retention.claim(botId, now, now - EACH_BOT_EVERY_MS)) await sweep(botId, retentionDays, now)
      }
    }
  }

  function listDue() {
    return retention.listDue(clock() - EACH_BOT_EVERY_MS, BOTS_AT_ONCE)
  }

  async function sweep(botId: string, retentionDays: number, now: number) {
    const before = now - retentionDays * DAY_MS
    const removedCount = await inBatches((most) => retention.removeQuiet(botId, before, most), {
      most: CONVERSATIONS_AT_ONCE,
      isStopping,
    })
    // The delivery log repeats conversations.
    await inBatches((most) => retention.removeDeliveries(botId, before, most), { isStopping })
    await inBatches((most) => retention.removeRuns(botId, before, most), { isStopping })
    await retention.finish(botId, now, removedCount)
  }
}
