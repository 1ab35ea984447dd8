// All of an instance in one file: the database, uploaded files included, and the secrets that belong to it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFile } from '../secret-file.ts'
import { createArchiveDatabase } from '../storage/archives/archive-database.ts'
import { copyTables, type OnRows } from '../storage/archives/copy-rows.ts'
import { readSnapshot } from '../storage/archives/snapshot.ts'
import { VERSION } from '../version.ts'
import { packFile, requireAbsent } from './archive-file.ts'
import { configuredKey, type InstancePlace, requireKeyOf } from './instance-key.ts'

/** Files of the data folder that belong to the database. */
export const SECRET_FILES = ['secret-key', 'admin-token', 'demo-key'] as const

export interface BackupOptions {
  output: string
  withSecrets: boolean
  onRows: OnRows
  now: number
}

export async function backUp(place: InstancePlace, { output, withSecrets, onRows, now }: BackupOptions) {
  requireAbsent(output)
  const draft = `${output}.database`
  try {
    const manifest = await readSnapshot(place, async (snapshot) => {
      const key = configuredKey(place)
      await requireKeyOf(snapshot, key, place.secretKey ? 'SECRET_KEY' : place.dataDir, snapshot.schema)
      const archive = await createArchiveDatabase(draft, now, snapshot.schema)
      try {
        await copyTables(snapshot, archive, archive.tables, onRows)
        const secrets = withSecrets ? secretsOf(place, key) : {}
        return await archive.finish({
          kind: 'backup',
          version: VERSION,
          created_at: new Date(now).toISOString(),
          secrets,
        })
      } catch (error) {
        archive.close()
        throw error
      }
    })
    return { manifest, ...(await packFile(draft, output)) }
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
}

function secretsOf({ dataDir }: InstancePlace, key: string | null): Record<string, string> {
  const kept = SECRET_FILES.map((name) => [name, readSecretFile(join(dataDir, name))] as const)
  const found = [...kept, ['secret-key', key] as const].filter(([, secret]) => secret !== null)
  return Object.fromEntries(found) as Record<string, string>
}
