// Backs up the instance at intervals. Its state is one value in the database, so that of several nodes one does it, and
// a restart neither skips nor repeats a backup.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { type Part, repeatEverySecond } from '../lifecycle.ts'
import { SCHEDULED_BACKUPS } from '../storage/instance.ts'
import { timestampOrNull } from '../timestamps.ts'
import { removeDrafts } from './archives.ts'
import { backupName, type InstanceLocation } from './backups.ts'

const RETRY_MS = 3_600_000
const LEASE_MS = 120_000
const RENEW_MS = 30_000

export type BackupSchedule = NonNullable<Config['backups']>

export interface BackupState {
  /** When it began. */
  succeeded: { at: number; file: string; bytes: number } | null
  /** Since the last success. */
  failed: { at: number; reason: string } | null
  /** Held by the node that makes a backup. */
  lease: { id: string; until: number; file: string } | null
}

export interface BackupOrder {
  location: InstanceLocation
  file: string
  keep: number
  now: number
}

export interface BackupResult {
  bytes: number
  deleted: number
}

export function parseBackupState(text: string | null): BackupState {
  return text === null ? { succeeded: null, failed: null, lease: null } : (JSON.parse(text) as BackupState)
}

/** A failed one is repeated within the hour; without any, one is due at once. */
function nextBackupAt({ succeeded, failed }: BackupState, { everyMs }: BackupSchedule): number {
  if (failed) return failed.at + Math.min(everyMs, RETRY_MS)
  return succeeded ? succeeded.at + everyMs : 0
}

type Deps = Pick<Context, 'storage' | 'config' | 'logger' | 'metrics' | 'clock' | 'onError' | 'isStopping'>

export function openScheduledBackups(deps: Deps): Part & { describe: () => Promise<BackupDescription | null> } {
  const { storage, config, logger, metrics, clock, onError, isStopping } = deps
  const { instanceValues } = storage
  const schedule = config.backups
  if (schedule === null) return { describe: async () => null }
  let thread: Worker | null = null

  const readState = async () => {
    const text = await instanceValues.find(SCHEDULED_BACKUPS)
    return { text, state: parseBackupState(text) }
  }

  async function makeBackup() {
    const now = clock()
    const { text, state } = await readState()
    if (nextBackupAt(state, schedule as BackupSchedule) > now || (state.lease && state.lease.until > now)) return
    const { folder, keep } = schedule as BackupSchedule
    const file = join(folder, backupName(now))
    const lease = { id: randomUUID(), until: now + LEASE_MS, file }
    const change = (make: (state: BackupState) => BackupState) => changeOwn(lease.id, make)
    if (!(await instanceValues.replace(SCHEDULED_BACKUPS, text, JSON.stringify({ ...state, lease })))) return

    const renewal = setInterval(() => {
      change((current) => ({ ...current, lease: { ...lease, until: clock() + LEASE_MS } })).catch(onError)
    }, RENEW_MS).unref()
    try {
      // Its node was killed.
      if (state.lease) removeDrafts(state.lease.file)
      const { bytes, deleted } = await runThread({ location: locationOf(config), file, keep, now })
      logger.info({ file, bytes, deleted }, 'backup written')
      metrics.count('docent_backups_total', { result: 'succeeded' })
      await change(() => ({ succeeded: { at: now, file, bytes }, failed: null, lease: null }))
    } catch (error) {
      if (isStopping()) {
        removeDrafts(file)
        return await change((current) => ({ ...current, lease: null }))
      }
      logger.error({ err: error, file }, 'backup failed')
      metrics.count('docent_backups_total', { result: 'failed' })
      const failure = { at: clock(), reason: (error as Error).message }
      await change((current) => ({ ...current, failed: failure, lease: null }))
    } finally {
      clearInterval(renewal)
    }
  }

  /** Repeated when a renewal came between: its own result must not be lost. Does nothing once another node has taken over. */
  async function changeOwn(leaseId: string, make: (state: BackupState) => BackupState) {
    for (;;) {
      const { text, state } = await readState()
      if (state.lease?.id !== leaseId) return
      if (await instanceValues.replace(SCHEDULED_BACKUPS, text, JSON.stringify(make(state)))) return
    }
  }

  async function runThread(order: BackupOrder): Promise<BackupResult> {
    if (isStopping()) throw new Error('the server is stopping')
    const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: order })
    thread = worker
    return new Promise<BackupResult>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread ended before the backup was complete')))
    }).finally(() => {
      thread = null
    })
  }

  const repetition = repeatEverySecond(makeBackup, onError)
  metrics.gauge('docent_backup_interval_seconds', () => schedule.everyMs / 1000)
  metrics.gauge('docent_backup_age_seconds', async () => {
    const { succeeded } = (await readState()).state
    return succeeded ? Math.max(0, Math.round((clock() - succeeded.at) / 1000)) : []
  })

  return {
    async describe() {
      const { state } = await readState()
      return {
        last_at: timeOf(state.succeeded?.at),
        next_at: timeOf(Math.max(nextBackupAt(state, schedule), clock())) as string,
        failed_at: timeOf(state.failed?.at),
      }
    },
    start() {
      if (config.role !== 'web') repetition.start()
    },
    async stop() {
      await thread?.terminate()
      await repetition.stop()
    },
  }
}

export interface BackupDescription {
  last_at: string | null
  next_at: string
  failed_at: string | null
}

function timeOf(ms: number | undefined): string | null {
  return timestampOrNull(ms ?? null)
}

function locationOf({ dataDir, databaseUrl, secretKey }: Config): InstanceLocation {
  return { dataDir, databaseUrl, secretKey }
}
