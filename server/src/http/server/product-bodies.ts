// Reads a product sync body as a stream: decompressed, size-checked, split into items that are parsed one by one.
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Fault, SyncOptions } from '@docent/contract'
import { JsonError, type JsonPiece, makeByteCollector, makeJsonSplitter } from '../../catalogue/feeds/json-splitter.ts'
import type { SyncEntry } from '../../catalogue/products/read-products.ts'
import { parseJson, tooLarge } from './bodies.ts'

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const LONGEST_ITEM_BYTES = 1024 * 1024
const TOO_LARGE = { kind: 'bad_item', code: 'item_too_large', message: 'An item can be at most 1 MB.' } as const
const optionNames = Object.keys(SyncOptions.properties)

interface ProductBody {
  payload: Readable
  isLines: boolean
  encoding: string | undefined
  lengthBytes: number
}

export interface BodyLimits {
  bytes: number
  items: number
}

/** Fills `options` from the body. */
export async function* syncEntries(
  body: ProductBody,
  limits: BodyLimits,
  options: Record<string, unknown>,
): AsyncGenerator<SyncEntry[]> {
  if (body.lengthBytes > limits.bytes) throw tooLarge(limits.bytes)
  const splitter = body.isLines ? lineSplitter() : objectSplitter(options)
  let items = 0
  const countEntries = (entries: SyncEntry[]) => {
    items += entries.length
    if (items <= limits.items) return entries
    throw new Fault('payload_too_large', { message: `A request can have at most ${limits.items} items.` })
  }
  for await (const chunk of unpack(body, limits.bytes)) yield countEntries(splitter.write(chunk))
  yield countEntries(splitter.end())
}

async function* unpack({ payload, encoding = 'identity' }: ProductBody, maxBytes: number): AsyncGenerator<Buffer> {
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding.trim().toLowerCase())) {
    throw new Fault('unsupported_media_type', {
      message: 'This Content-Encoding is not supported. Send gzip or an uncompressed body.',
      headers: { 'accept-encoding': 'gzip' },
    })
  }
  const isPacked = encoding.trim().toLowerCase() !== 'identity'
  const unpacker = isPacked ? gunzip(payload) : null
  let size = 0
  try {
    // Keep the stream open on exit: the response uses the same connection.
    for await (const chunk of (unpacker ?? payload).iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > maxBytes) throw tooLarge(maxBytes)
      yield withoutMark(chunk as Buffer, size)
    }
  } finally {
    payload.unpipe()
    unpacker?.destroy()
  }
}

function gunzip(payload: Readable): Readable {
  const unzipper = createGunzip({ chunkSize: 64 * 1024 })
  payload.once('error', (error) => unzipper.destroy(error))
  const readable = payload.pipe(unzipper)
  const toFault = (error: NodeJS.ErrnoException) =>
    error.code?.startsWith('Z_') ? new Fault('invalid_json', { message: 'The request body is not valid gzip.' }) : error
  const destroy = readable.destroy.bind(readable)
  // The stream's own error would be reported as internal.
  readable.destroy = (error) => destroy(error && toFault(error))
  return readable
}

function withoutMark(chunk: Buffer, sizeSoFar: number): Buffer {
  const isFirst = sizeSoFar === chunk.length
  return isFirst && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? chunk.subarray(3) : chunk
}

interface Splitter {
  write(chunk: Buffer): SyncEntry[]
  end(): SyncEntry[]
}

/** One item per line; invalid JSON fails only its line. */
function lineSplitter(): Splitter {
  const collector = makeByteCollector(LONGEST_ITEM_BYTES)
  function entries(line: Buffer | null): SyncEntry[] {
    if (line === null) return [TOO_LARGE]
    if (line.every((byte) => byte <= 0x20)) return []
    try {
      return [{ kind: 'item', value: parseJson(line) }]
    } catch {
      return [{ kind: 'bad_item', code: 'invalid_json', message: 'The line is not valid JSON.' }]
    }
  }
  return {
    write: (chunk) => Array.from(collector.takeLines(chunk), entries).flat(),
    end: () => entries(collector.take()),
  }
}

function objectSplitter(options: Record<string, unknown>): Splitter {
  const splitter = makeJsonSplitter(['products', 'delete'], LONGEST_ITEM_BYTES)
  let isEmpty = true
  let products = 0

  function entry({ field, isItem, bytes }: JsonPiece): SyncEntry[] {
    const list = field ?? 'products'
    if (isItem && list === 'products') {
      products++
      return [bytes === null ? TOO_LARGE : { kind: 'item', value: parseOrFault(bytes, `Item ${products - 1}`) }]
    }
    if (isItem) return [{ kind: 'delete', id: deleteId(bytes) }]
    const value = bytes === null ? null : parseOrFault(bytes, `The field ${list}`)
    if (list === 'products' || list === 'delete') throw invalidField(list, 'Use a list.')
    if (optionNames.includes(list)) options[list] = value
    return []
  }

  return {
    write(chunk) {
      isEmpty &&= chunk.length === 0
      return guard(() => {
        const parsedEntries: SyncEntry[] = []
        for (const piece of splitter.write(chunk)) parsedEntries.push(...entry(piece))
        return parsedEntries
      })
    },
    end() {
      if (isEmpty) throw invalidField('products', 'This field is required.')
      const lists = guard(() => splitter.end())
      // Ending a replace needs no products.
      if (lists?.size === 0 && options.final !== true) throw invalidField('products', 'This field is required.')
      return []
    },
  }

  function guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw error instanceof JsonError ? new Fault('invalid_json') : error
    }
  }
}

function parseOrFault(bytes: Buffer, what: string): unknown {
  try {
    return parseJson(bytes)
  } catch {
    throw new Fault('invalid_json', { message: `The request body is not valid JSON: ${what} cannot be read.` })
  }
}

function deleteId(bytes: Buffer | null): string {
  const id = bytes === null ? null : parseOrFault(bytes, 'An id in delete')
  if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return String(id)
  throw invalidField('delete', 'Use a list of ids.')
}

function invalidField(path: string, message: string): Fault {
  return new Fault('validation_failed', { details: [{ path, message }] })
}
