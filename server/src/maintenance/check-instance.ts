// Checks an instance for anything that would stop it from starting or serving, and says how to fix it.
import { existsSync, statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { isOpenToOthers } from '../private-file.ts'
import { readSnapshot } from '../storage/archives/archive.ts'
import { isFolderInUse } from '../storage/engines/folder-lock.ts'
import { readInstanceValue, SCHEDULED_BACKUPS } from '../storage/instance.ts'
import { SCHEMA_VERSION } from '../storage/migrations/migrations.ts'
import { timestamp } from '../timestamps.ts'
import { configuredKey, requireKeyOf } from './backups.ts'
import { type BackupSchedule, type BackupState, parseBackupState } from './scheduled-backups.ts'

interface Finding {
  name: string
  state: 'ok' | 'warning' | 'failed'
  message: string
}

const MIN_FREE_BYTES = 1024 ** 3
const MODELS = fileURLToPath(new URL('../../../models', import.meta.url))

export async function checkInstance(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const note = (name: string, state: Finding['state'], message: string) => findings.push({ name, state, message })
  note('node', 'ok', `${process.version}, SQLite ${process.versions.sqlite}`)
  checkFolder(config, note)
  await checkDatabase(config, note)
  const needsModels = config.embeddings !== null && !config.embeddings.provider && !config.embeddings.modelDir
  if (needsModels && !existsSync(MODELS)) note('models', 'warning', `${MODELS} is missing: keyword search only.`)
  else note('models', 'ok', needsModels ? 'built in' : config.embeddings ? 'set by you' : 'off')
  const isLocal = /^http:\/\/(localhost|127\.)/.test(config.baseUrl)
  if (config.baseUrl.startsWith('https:') && config.trustedProxies.length === 0)
    note('address', 'warning', 'BASE_URL is https, but TRUSTED_PROXIES is empty: all visitors share one address.')
  else
    note(
      'address',
      isLocal ? 'warning' : 'ok',
      `${config.baseUrl}${isLocal ? ': set BASE_URL for other machines' : ''}`,
    )
  note('mail', config.smtp ? 'ok' : 'warning', config.smtp ? 'set' : 'SMTP_URL is not set: pass on links yourself.')
  return findings
}

type Note = (name: string, state: Finding['state'], message: string) => void

function checkFolder({ dataDir, databaseUrl }: Config, note: Note) {
  if (!existsSync(dataDir)) return note('data folder', databaseUrl ? 'ok' : 'warning', `${dataDir} does not exist yet.`)
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const isShort = free < MIN_FREE_BYTES
  note('disk', isShort ? 'warning' : 'ok', `${(free / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`)
  if (isOpenToOthers(dataDir)) note('data folder', 'warning', `Other users can read ${dataDir}: chmod 700 it.`)
  else note('data folder', 'ok', dataDir)
  if (!databaseUrl) note('server', 'ok', isFolderInUse(dataDir) ? 'running' : 'not running')
}

async function checkDatabase(config: Config, note: Note) {
  try {
    await readSnapshot(config, async (snapshot) => {
      const { schema } = snapshot
      const kind = config.databaseUrl ? 'PostgreSQL' : 'SQLite'
      const { version, leastSchema } = schema
      if (leastSchema > SCHEMA_VERSION)
        note('database', 'failed', `${kind} was used by a newer version: install that one.`)
      else if (version > SCHEMA_VERSION)
        note('database', 'warning', `${kind} was upgraded by a newer version, which this one can still use.`)
      else if (version < SCHEMA_VERSION)
        note('database', 'warning', `${kind} will be upgraded at the next start: back it up first.`)
      else note('database', 'ok', `${kind}, schema ${version}`)
      try {
        await requireKeyOf(snapshot, configuredKey(config), config.secretKey ? 'SECRET_KEY' : config.dataDir)
        note('secret key', 'ok', 'matches the database')
      } catch (error) {
        note('secret key', 'failed', (error as Error).message)
      }
      if (config.backups === null) note('backups', 'ok', 'not scheduled (BACKUP_EVERY)')
      else checkBackups(parseBackupState(await readInstanceValue(snapshot, SCHEDULED_BACKUPS)), config.backups, note)
    })
  } catch (error) {
    note('database', 'failed', reasonOf(error))
  }
}

function checkBackups({ succeeded, failed }: BackupState, { everyMs }: BackupSchedule, note: Note) {
  const last = succeeded && `${succeeded.file}, ${timestamp(succeeded.at)}`
  if (failed)
    note('backups', 'warning', `failed at ${timestamp(failed.at)}: ${failed.reason} (last: ${last ?? 'none'})`)
  else if (!succeeded) note('backups', 'ok', 'scheduled, none yet')
  else if (Date.now() - succeeded.at > 2 * everyMs) note('backups', 'warning', `overdue: the last is ${last}`)
  else note('backups', 'ok', String(last))
}

function reasonOf(error: unknown): string {
  const { message, reason, cause } = error as { message: string; reason?: string; cause?: { message?: string } }
  return reason ?? cause?.message ?? message
}
