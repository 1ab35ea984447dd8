// PostgreSQL stopped, restarted and killed under two nodes: calls are refused with 503 meanwhile, nothing acknowledged is
// lost, both nodes come back by themselves, the quota is exact and every webhook arrives.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startPostgres } from '../../../server/test/harness/database/postgres.ts'
import { queryRows } from '../../../server/test/harness/database/rows.ts'
import { startEventReceiver } from '../../../server/test/harness/event-receiver.ts'
import { startServer } from '../../../server/test/harness/start-server.ts'
import { pause } from '../../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from '../part.ts'
import { makeRandom } from '../requests/random.ts'
import { answersAgain, startChats } from './chat-load.ts'
import { undelivered } from './kill-loop.ts'

const RECOVERY_MS = 30_000
const MAX_LOAD_MS = 500
const MAX_OUTAGE_MS = 2000
/** Fast and immediate shutdown, and a kill. */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const
const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', WEBHOOK_TIMEOUT_SECONDS: '2', LOG_LEVEL: 'error' }

export async function endPostgres({ seed, times }: Omit<PartOptions, 'engine'>): Promise<PartResult> {
  const random = makeRandom(seed)
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  if (!postgres.outage) return { counts: { outages: 0 }, problems: [], notRun: 'DATABASE_URL is not ours to stop' }
  const dataDir = mkdtempSync(join(tmpdir(), 'docent-outage-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const database = { dataDir, databaseUrl: postgres.url, drop: async () => {} }
  const receiver = await startEventReceiver()
  onTestFinished(() => receiver.close())
  const nodes = [
    await startServer('postgres', { database, environment }),
    await startServer('postgres', { database, environment }),
  ] as const
  // Real time, for retries of webhooks.
  let turnedAt = performance.now()
  const turning = setInterval(() => {
    const passedMs = Math.round(performance.now() - turnedAt)
    turnedAt += passedMs
    for (const { clock } of nodes) clock.now += passedMs
  }, 50)
  onTestFinished(() => clearInterval(turning))
  const bot = await nodes[0].createBot({ dailyLimit: 100_000_000, webhookUrl: receiver.url })
  const loads = nodes.map(({ call }) => startChats([call], bot))
  const problems: string[] = []
  for (let n = 0; n < times; n++) {
    await pause(random.below(MAX_LOAD_MS))
    const signal = SIGNALS[n % SIGNALS.length] ?? 'SIGKILL'
    await postgres.outage(signal, random.below(MAX_OUTAGE_MS))
    const back = await Promise.all(loads.map(({ acknowledged }) => answersAgain(acknowledged, RECOVERY_MS)))
    if (back.includes(false)) problems.push(`no answer of a node after ${signal}`)
  }
  await Promise.all(loads.map((load) => load.stop()))
  const acknowledgedIds = loads.flatMap((load) => load.acknowledged)
  const refusedCalls = loads.reduce((sum, { statuses }) => sum + (statuses.get(503) ?? 0), 0)
  const brokenCalls = loads.reduce((sum, { statuses }) => sum + (statuses.get(0) ?? 0), 0)
  problems.push(...loads.flatMap(({ unexpected }) => unexpected.map((text) => `a call answered with ${text}`)))
  if (brokenCalls > 0) problems.push(`${brokenCalls} calls not answered`)
  const storedIds = new Set(
    (await queryRows(database, "SELECT id FROM messages WHERE role = 'assistant'")).map(({ id }) => id),
  )
  const lostIds = acknowledgedIds.filter((id) => !storedIds.has(id))
  if (lostIds.length > 0) problems.push(`acknowledged and lost: ${lostIds.join(' ')}`)
  const [quotaRow] = await queryRows(database, 'SELECT sum(calls) AS n FROM quota_days')
  const attemptCount = loads.reduce((sum, load) => sum + load.attempted(), 0)
  if (Number(quotaRow?.n) < acknowledgedIds.length || Number(quotaRow?.n) > attemptCount)
    problems.push(`${quotaRow?.n} calls counted, ${acknowledgedIds.length} answered, ${attemptCount} sent`)
  const unheard = await undelivered(acknowledgedIds, receiver)
  if (unheard.length > 0) problems.push(`never told of: ${unheard.join(' ')}`)
  const counts = { outages: times, 'turns acknowledged': acknowledgedIds.length, 'turns refused': refusedCalls }
  return { counts: { ...counts, deliveries: receiver.deliveries() }, problems }
}
