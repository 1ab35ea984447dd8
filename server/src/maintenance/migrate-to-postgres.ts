// Copies an instance from its SQLite folder to PostgreSQL. The folder stays unchanged.

import { copyToPostgres } from '../storage/archives/copy-to-postgres.ts'
import type { OnRows } from '../storage/archives/rows.ts'
import { configuredKey, type InstanceLocation, requireKeyOf } from './instance-key.ts'

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
