// Writes a snapshot of an instance, or part of it, to a new archive, or leaves nothing.
import { rmSync } from 'node:fs'
import {
  type ArchiveDatabase,
  type ArchiveKind,
  createArchiveDatabase,
  type DatabaseLocation,
  type NewManifest,
  readSnapshot,
  type Snapshot,
} from '../storage/archives/archive.ts'
import { requireKnown } from '../storage/migrations/migrate.ts'
import { VERSION } from '../version.ts'
import { packFile, requireAbsent } from './archive-file.ts'

export async function writeArchive<T>(
  location: DatabaseLocation,
  { output, now, kind }: { output: string; now: number; kind: ArchiveKind },
  fill: (snapshot: Snapshot, archive: ArchiveDatabase) => Promise<{ secrets: NewManifest['secrets']; report: T }>,
) {
  requireAbsent(output)
  const draft = `${output}.database`
  try {
    const written = await readSnapshot(location, async (snapshot) => {
      requireKnown(snapshot.schema)
      const archive = await createArchiveDatabase(draft, now, snapshot.schema.applied)
      try {
        const { secrets, report } = await fill(snapshot, archive)
        const about = { kind, version: VERSION, created_at: new Date(now).toISOString(), secrets }
        return { manifest: await archive.finish(about), report }
      } finally {
        archive.close()
      }
    })
    return { ...written, ...(await packFile(draft, output)) }
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
}
