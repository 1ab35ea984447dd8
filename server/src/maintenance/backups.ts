// Writes a whole instance to one file: the database, including uploads, and its secrets.

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { readSecretFile, writeSecretFile } from '../private-file.ts'
import { fingerprintOf } from '../sealed-text.ts'
import { fillPostgres } from '../storage/archives/copy-to-postgres.ts'
import { copyTables, type OnRows } from '../storage/archives/rows.ts'
import type { Queries } from '../storage/database.ts'
import { lockFolder } from '../storage/engines/folder-lock.ts'
import { readInstanceValue, SECRET_KEY_FINGERPRINT } from '../storage/instance.ts'
import { type OpenArchive, withArchive, writeArchive } from './archives.ts'

/** Files of the data folder that belong to the database. */
const SECRET_FILES = ['secret-key', 'admin-token', 'demo-key'] as const

interface BackupOptions {
  output: string
  withSecrets: boolean
  /** Replaces an existing file. */
  force: boolean
  onRows: OnRows
  now: number
}

export async function backUp(location: InstanceLocation, { output, withSecrets, force, onRows, now }: BackupOptions) {
  return writeArchive(location, { output, now, force, kind: 'backup' }, async (snapshot, archive) => {
    const key = configuredKey(location)
    await requireKeyOf(snapshot, key, location.secretKey ? 'SECRET_KEY' : location.dataDir)
    const report = await copyTables(snapshot, archive, archive.tables, onRows)
    return { secrets: withSecrets ? secretsOf(location, key) : {}, report }
  })
}

export function backupName(now: number): string {
  return `docent-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}.backup`
}

/** By the time in their names; files with other names are nobody's to delete. */
export function deleteOlderBackups(folder: string, keep: number): string[] {
  const names = readdirSync(folder).filter((name) => /^docent-\d{4}-\d\d-\d\dT\d{6}\.backup$/.test(name))
  const older = names.toSorted().slice(0, -keep)
  return older.flatMap((name) => {
    const file = join(folder, name)
    // Somebody else may have deleted it, or may own it: the new backup is good all the same.
    try {
      rmSync(file, { force: true })
      return [file]
    } catch {
      return []
    }
  })
}

function secretsOf({ dataDir }: InstanceLocation, key: string | null): Record<string, string> {
  const secretFiles = SECRET_FILES.map((name) => [name, readSecretFile(join(dataDir, name))] as const)
  const presentSecrets = [...secretFiles, ['secret-key', key] as const].filter(([, secret]) => secret !== null)
  return Object.fromEntries(presentSecrets) as Record<string, string>
}

// Restores a backup to an empty data folder or an empty PostgreSQL database.

interface RestoreOptions {
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

// An instance's secret key: which one is configured, and whether a database was sealed with it.

export type InstanceLocation = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>

export function configuredKey({ secretKey, dataDir }: InstanceLocation): string | null {
  return secretKey ?? readSecretFile(join(dataDir, 'secret-key'))
}

/** `whose`: where the key comes from, in the user's terms. */
export async function requireKeyOf(database: Queries, key: string | null, whose: string) {
  const fingerprint = await fingerprintIn(database)
  if (fingerprint === null) return
  if (key === null) throw new Error(`The secret key of this database is missing: set SECRET_KEY (${whose} has none).`)
  if (fingerprintOf(key) !== fingerprint)
    throw new Error(`The secret key in ${whose} does not match the database. Nothing was changed.`)
}

/** Null when there is none yet, or when an operator has discarded the old key. */
async function fingerprintIn(database: Queries): Promise<string | null> {
  const value = await readInstanceValue(database, SECRET_KEY_FINGERPRINT)
  return value === 'lost' ? null : value
}
