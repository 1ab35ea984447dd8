// Files go to the client piece by piece, as it reads them: a whole one would stay in memory until the slowest is done.
import { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import type { FastifyReply } from 'fastify'

// SQLite reads the whole value for each piece, so smaller ones cost more.
const PIECE_BYTES = 512 * 1024

/** Memory of a response that is streamed: the piece being sent, and the next. */
export const STREAM_BYTES = 2 * PIECE_BYTES

// Of files, conversations and histories together, so that thousands of requests hold no more than this, and leave
// connections to the database for chats.
const READS_AT_ONCE = 4

/** Undefined: the file is gone, or another one has taken its place. */
type ReadPiece = (offset: number, lengthBytes: number) => Promise<Uint8Array | undefined>

/** Sends a file of untrusted content: nothing in it may run. */
export async function sendDownload(
  reply: FastifyReply,
  { type, sizeBytes }: { type: string; sizeBytes: number },
  readPiece: ReadPiece,
): Promise<FastifyReply> {
  // Before it is read: many that are refused would otherwise need much memory.
  reply.reserveMemory(Math.min(sizeBytes, STREAM_BYTES))
  const read: ReadPiece = (offset, lengthBytes) => readInTurn(reply, () => readPiece(offset, lengthBytes))
  // Read first: a failure then gets a normal error response.
  const first = await read(0, PIECE_BYTES)
  if (!first) throw new Fault('not_found')
  reply.type(type).header('content-length', sizeBytes).header('content-security-policy', "default-src 'none'; sandbox")
  if (first.byteLength >= sizeBytes) return reply.send(first)
  return reply.send(streamOf(piecesOf(first, sizeBytes, read)))
}

/** Reads the next piece while one is sent. A stream of objects would read sixteen ahead, of any size. */
export function streamOf(pieces: AsyncIterable<string | Uint8Array>): Readable {
  return Readable.from(pieces, { objectMode: false })
}

async function* piecesOf(first: Uint8Array, sizeBytes: number, readPiece: ReadPiece) {
  let offset = 0
  for (let piece: Uint8Array | undefined = first; offset < sizeBytes; ) {
    piece ??= await readPiece(offset, PIECE_BYTES)
    // The connection then ends before the announced length, so the client notices.
    if (!piece?.byteLength) throw new Error('the file was removed while it was sent')
    offset += piece.byteLength
    yield piece
    piece = undefined
  }
}

let readsUnderWay = 0
const waitingReads: (() => void)[] = []

/** Reads what a large response consists of. */
export async function readInTurn<T>(reply: FastifyReply, read: () => Promise<T>): Promise<T> {
  if (readsUnderWay === READS_AT_ONCE) await new Promise<void>((proceed) => waitingReads.push(proceed))
  else readsUnderWay++
  try {
    // Closed while it waited, perhaps to make room for others.
    if (reply.raw.destroyed) throw new Fault('request_timeout')
    return await read()
  } finally {
    // The next read takes over the place.
    const next = waitingReads.shift()
    if (next) next()
    else readsUnderWay--
  }
}
