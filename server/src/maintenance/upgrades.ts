// Copies an instance from its SQLite folder to PostgreSQL. The folder stays unchanged.
import { copyToPostgres } from '../storage/archives/copy-to-postgres.ts'
import type { OnRows } from '../storage/archives/rows.ts'
import { openStorage } from '../storage/storage.ts'
import { configuredKey, type InstanceLocation, requireKeyOf } from './backups.ts'

interface Options {
  restart: boolean
  onCopied: OnRows
  onCompared: OnRows
  now: number
}

export async function migrateToPostgres(location: InstanceLocation, options: Options) {
  const { dataDir, databaseUrl } = location
  if (!databaseUrl) throw new Error('DATABASE_URL must name the PostgreSQL database to move to.')
  const check: Parameters<typeof copyToPostgres>[0]['check'] = (source) =>
    requireKeyOf(source, configuredKey(location), 'SECRET_KEY')
  return copyToPostgres({ dataDir, databaseUrl, check, ...options })
}

// Finishes an upgrade of the tables at once, instead of when a server gets to it.

/** Returns what is left to do later. */
export async function finishUpgrade(location: InstanceLocation, now: number): Promise<string[]> {
  const storage = await openStorage({ ...location, databasePoolSize: 2 }, now)
  try {
    return await storage.nodes.finishUpgrade(now)
  } finally {
    await storage.close()
  }
}
