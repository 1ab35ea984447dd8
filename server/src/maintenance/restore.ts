// Restores a backup to an empty data folder or an empty PostgreSQL database.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSecretFile } from '../secret-file.ts'
import { fillPostgres } from '../storage/archives/copy-to-postgres.ts'
import type { OnRows } from '../storage/archives/rows.ts'
import { lockFolder } from '../storage/engines/folder-lock.ts'
import { SECRET_FILES } from './back-up.ts'
import { configuredKey, type InstanceLocation, requireKeyOf } from './instance-key.ts'
import { type OpenArchive, withArchive } from './open-archive.ts'

export interface RestoreOptions {
  file: string
  onRows: OnRows
  now: number
}

export async function restore(location: InstanceLocation, options: RestoreOptions) {
  return location.databaseUrl
    ? restoreToPostgres(location, location.databaseUrl, options)
    : restoreToFolder(location, options)
}

async function restoreToPostgres(location: InstanceLocation, url: string, { file, onRows, now }: RestoreOptions) {
  return withArchive(file, { kinds: ['backup'], folder: tmpdir(), onRows, now }, async ({ manifest, database }) => {
    await requireKeyOf(database, configuredKey(location), 'SECRET_KEY')
    await fillPostgres(url, database, now, onRows)
    return manifest
  })
}

async function restoreToFolder(location: InstanceLocation, { file, onRows, now }: RestoreOptions) {
  const { dataDir } = location
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(dataDir)
  try {
    const target = join(dataDir, 'docent.sqlite')
    if (existsSync(target))
      throw new Error(`${dataDir} already has a database. Move it away, or set DATA_DIR. Nothing was changed.`)
    return await withArchive(file, { kinds: ['backup'], folder: dataDir, onRows, now }, async (archive) => {
      await requireRightKey(location, archive)
      archive.database.finishPlain()
      sync(archive.path)
      writeSecrets(archive, dataDir)
      // Last: without it, the folder counts as empty.
      renameSync(archive.path, target)
      return archive.manifest
    })
  } finally {
    unlock()
  }
}

/** Writes only a backup's secrets to a folder, for a server that reads them from elsewhere. */
export async function restoreSecrets(folder: string, { file, onRows, now }: RestoreOptions): Promise<string[]> {
  return withArchive(file, { kinds: ['backup'], folder, onRows, now }, async (archive) => writeSecrets(archive, folder))
}

/** Skips files that exist already. */
function writeSecrets({ manifest }: OpenArchive, folder: string): string[] {
  return SECRET_FILES.filter((name) => {
    const secret = manifest.secrets[name]
    const isMissing = secret !== undefined && !existsSync(join(folder, name))
    if (isMissing) writeSecretFile(join(folder, name), secret)
    return isMissing
  })
}

/** The key that the server will find here must match the backup's. */
async function requireRightKey(location: InstanceLocation, { manifest, database }: OpenArchive) {
  const here = configuredKey(location)
  const whose = location.secretKey ? 'SECRET_KEY' : here ? join(location.dataDir, 'secret-key') : 'the backup'
  await requireKeyOf(database, here ?? manifest.secrets['secret-key'] ?? null, whose)
}

function sync(path: string) {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
