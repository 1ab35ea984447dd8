// An archive is one gzipped SQLite database: it holds no file names, so no path traversal.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Transform, type TransformCallback, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
// Text compresses to about a fifth; a far higher ratio means a zip bomb.
const MAX_RATIO = 200
const SMALL_BYTES = 16 * 1024 ** 2
const SPARE_BYTES = 64 * 1024 ** 2

export function requireAbsent(path: string) {
  if (existsSync(path)) throw new Error(`${path} already exists. Choose another file.`)
}

/** Writes the whole file and reads it back once, or leaves nothing. */
export async function packFile(source: string, target: string): Promise<{ bytes: number }> {
  requireAbsent(target)
  const draft = `${target}.partial`
  try {
    const written = createHash('sha256')
    const file = createWriteStream(draft, { mode: 0o600, flush: true })
    await pipeline(createReadStream(source), hashing(written), createGzip(), file)
    const readBack = createHash('sha256')
    await pipeline(createReadStream(draft), createGunzip(), hashing(readBack), discarding())
    if (written.digest('hex') !== readBack.digest('hex')) throw new Error(`${target} differs from what was written.`)
    renameSync(draft, target)
    return { bytes: statSync(target).size }
  } finally {
    rmSync(draft, { force: true })
  }
}

export async function unpackFile(source: string, target: string): Promise<void> {
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
