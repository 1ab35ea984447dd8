// An archive is one gzipped SQLite database: it holds no file names, so no path traversal.
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Transform, type TransformCallback, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  type ArchiveDatabase,
  type ArchiveKind,
  createArchiveDatabase,
  type DatabaseLocation,
  type Manifest,
  type NewManifest,
  readSnapshot,
  rebuildArchive,
  type Snapshot,
} from '../storage/archives/archive.ts'
import type { OnRows } from '../storage/archives/rows.ts'
import { StorageError } from '../storage/database.ts'
import { requireKnown } from '../storage/migrations/migrate.ts'
import { timestamp } from '../timestamps.ts'
import { VERSION } from '../version.ts'

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
// Text compresses to about a fifth; a far higher ratio means a zip bomb.
const MAX_RATIO = 200
const SMALL_BYTES = 16 * 1024 ** 2
const SPARE_BYTES = 64 * 1024 ** 2

function requireAbsent(path: string, canForce = false) {
  const otherwise = canForce ? ', or replace it with --force' : ''
  if (existsSync(path)) throw new Error(`${path} already exists. Choose another file${otherwise}.`)
}

/** Writes the whole file and reads it back once, or leaves nothing. */
async function packFile(source: string, target: string, force: boolean): Promise<{ bytes: number }> {
  if (!force) requireAbsent(target)
  const draft = `${target}.partial`
  try {
    const sourceHash = createHash('sha256')
    const file = createWriteStream(draft, { mode: 0o600, flush: true })
    await pipeline(createReadStream(source), hashing(sourceHash), createGzip(), file)
    const readBack = createHash('sha256')
    await pipeline(createReadStream(draft), createGunzip(), hashing(readBack), discarding())
    if (sourceHash.digest('hex') !== readBack.digest('hex')) throw new Error(`${target} differs from what was written.`)
    renameSync(draft, target)
    return { bytes: statSync(target).size }
  } finally {
    rmSync(draft, { force: true })
  }
}

async function unpackFile(source: string, target: string): Promise<void> {
  if (!existsSync(source)) throw new Error(`There is no file ${source}.`)
  const { bavail, bsize } = statfsSync(dirname(target))
  const limits = { packedBytes: statSync(source).size, freeBytes: bavail * bsize - SPARE_BYTES }
  try {
    const file = createWriteStream(target, { mode: 0o600 })
    await pipeline(createReadStream(source), createGunzip(), new SizeGuard(limits), file)
  } catch (error) {
    rmSync(target, { force: true })
    const { code, message } = error as { code?: string; message: string }
    if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR')
      throw new Error(`${source} is damaged, or is not a Docent archive (${message}). Nothing was changed.`)
    throw new Error(`${source}: ${message} Nothing was changed.`)
  }
}

/** The database's header states its size: write no byte more. */
class SizeGuard extends Transform {
  readonly #limits: { packedBytes: number; freeBytes: number }
  #head = Buffer.alloc(0)
  #expected: number | null = null
  #seen = 0

  constructor(limits: { packedBytes: number; freeBytes: number }) {
    super()
    this.#limits = limits
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
    try {
      this.#seen += chunk.length
      if (this.#expected !== null) {
        this.#requireLength(this.#seen <= this.#expected)
        return done(null, chunk)
      }
      this.#head = Buffer.concat([this.#head, chunk])
      if (this.#head.length < HEADER_BYTES) return done()
      this.#expected = this.#readLength()
      this.#requireLength(this.#seen <= this.#expected)
      done(null, this.#head)
    } catch (error) {
      done(error as Error)
    }
  }

  override _flush(done: TransformCallback) {
    done(this.#seen === this.#expected ? null : new Error('It is not complete, or is not a Docent archive.'))
  }

  #readLength(): number {
    if (this.#head.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('It is not a Docent archive.')
    const pageBytes = this.#head.readUInt16BE(16)
    const length = (pageBytes === 1 ? 65_536 : pageBytes) * this.#head.readUInt32BE(28)
    const { packedBytes, freeBytes } = this.#limits
    if (length > SMALL_BYTES && length > packedBytes * MAX_RATIO)
      throw new Error('It would unpack to far more than an archive does.')
    if (length > freeBytes) throw new Error(`It unpacks to ${length} bytes, more than the disk has free.`)
    return length
  }

  #requireLength(fits: boolean) {
    if (!fits) throw new Error('It is longer than its header says, or is not a Docent archive.')
  }
}

function hashing(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
}

function discarding(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

// An archive, unpacked, checked and rebuilt in a temporary folder that is removed afterwards.

export interface OpenArchive {
  manifest: Manifest
  database: ArchiveDatabase
  /** The path of the rebuilt database. */
  path: string
}

interface OpenOptions {
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
    const unpackedFile = join(work, 'unpacked.sqlite')
    await unpackFile(file, unpackedFile)
    const path = join(work, 'rebuilt.sqlite')
    const { manifest, database } = await rebuildArchive(unpackedFile, path, now, onRows).catch((error: Error) => {
      const reason = error instanceof StorageError ? 'Its rows are inconsistent.' : error.message
      throw new Error(`${file} is damaged, or is not a Docent archive: ${reason} Nothing was changed.`)
    })
    try {
      if (!kinds.includes(manifest.kind))
        throw new Error(`${file} is ${descriptions[manifest.kind]}. Nothing was changed.`)
      return await use({ manifest, database, path })
    } finally {
      database.close()
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const descriptions = {
  backup: 'a backup of a whole instance: use docent restore',
  bot: 'an export of a bot: use docent import',
  workspace: 'an export of a workspace: use docent import',
}

// Writes a snapshot of an instance, or part of it, to a new archive, or leaves nothing.

export async function writeArchive<T>(
  location: DatabaseLocation,
  { output, now, kind, force }: { output: string; now: number; kind: ArchiveKind; force?: boolean },
  fill: (snapshot: Snapshot, archive: ArchiveDatabase) => Promise<{ secrets: NewManifest['secrets']; report: T }>,
) {
  if (!force) requireAbsent(output, force === false)
  const draft = `${output}.database`
  try {
    const report = await readSnapshot(location, async (snapshot) => {
      requireKnown(snapshot.schema)
      const archive = await createArchiveDatabase(draft, now, snapshot.schema.applied)
      try {
        const { secrets, report } = await fill(snapshot, archive)
        const about = { kind, version: VERSION, created_at: timestamp(now), secrets }
        return { manifest: await archive.finish(about), report }
      } finally {
        archive.close()
      }
    })
    return { ...report, ...(await packFile(draft, output, force === true)) }
  } finally {
    removeDrafts(output)
  }
}

/** What a process that was killed may have left of an archive. */
export function removeDrafts(output: string) {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${output}.database${suffix}`, { force: true })
  rmSync(`${output}.partial`, { force: true })
}
