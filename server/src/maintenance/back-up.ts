// Writes a whole instance to one file: the database, including uploads, and its secrets.
import { join } from 'node:path'
import { readSecretFile } from '../secret-file.ts'
import { copyTables, type OnRows } from '../storage/archives/rows.ts'
import { configuredKey, type InstanceLocation, requireKeyOf } from './instance-key.ts'
import { writeArchive } from './write-archive.ts'

/** Files of the data folder that belong to the database. */
export const SECRET_FILES = ['secret-key', 'admin-token', 'demo-key'] as const

export interface BackupOptions {
  output: string
  withSecrets: boolean
  onRows: OnRows
  now: number
}

export async function backUp(location: InstanceLocation, { output, withSecrets, onRows, now }: BackupOptions) {
  return writeArchive(location, { output, now, kind: 'backup' }, async (snapshot, archive) => {
    const key = configuredKey(location)
    await requireKeyOf(snapshot, key, location.secretKey ? 'SECRET_KEY' : location.dataDir)
    const report = await copyTables(snapshot, archive, archive.tables, onRows)
    return { secrets: withSecrets ? secretsOf(location, key) : {}, report }
  })
}

function secretsOf({ dataDir }: InstanceLocation, key: string | null): Record<string, string> {
  const kept = SECRET_FILES.map((name) => [name, readSecretFile(join(dataDir, name))] as const)
  const found = [...kept, ['secret-key', key] as const].filter(([, secret]) => secret !== null)
  return Object.fromEntries(found) as Record<string, string>
}
