// An archive, unpacked, checked and rebuilt in a temporary folder that is removed afterwards.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ArchiveDatabase, type ArchiveKind, type Manifest, rebuildArchive } from '../storage/archives/archive.ts'
import type { OnRows } from '../storage/archives/rows.ts'
import { StorageError } from '../storage/database.ts'
import { unpackFile } from './archive-file.ts'

export interface OpenArchive {
  manifest: Manifest
  database: ArchiveDatabase
  /** The path of the rebuilt database. */
  path: string
}

export interface OpenOptions {
  kinds: ArchiveKind[]
  /** Needs room for the unpacked archive, twice. */
  folder: string
  onRows: OnRows
  now: number
}

export async function withArchive<T>(
  file: string,
  { kinds, folder, onRows, now }: OpenOptions,
  use: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const work = mkdtempSync(join(folder, 'docent-archive-'))
  try {
    const unpacked = join(work, 'unpacked.sqlite')
    await unpackFile(file, unpacked)
    const path = join(work, 'rebuilt.sqlite')
    const { manifest, database } = await rebuildArchive(unpacked, path, now, onRows).catch((error: Error) => {
      const reason = error instanceof StorageError ? 'Its rows are inconsistent.' : error.message
      throw new Error(`${file} is damaged, or is not a Docent archive: ${reason} Nothing was changed.`)
    })
    try {
      if (!kinds.includes(manifest.kind))
        throw new Error(`${file} is ${described[manifest.kind]}. Nothing was changed.`)
      return await use({ manifest, database, path })
    } finally {
      database.close()
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const described = {
  backup: 'a backup of a whole instance: use docent restore',
  bot: 'an export of a bot: use docent import',
  workspace: 'an export of a workspace: use docent import',
}
