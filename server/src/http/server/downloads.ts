// Files go to the client piece by piece, as it reads them: a whole one would stay in memory until the slowest is done.
import { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import type { FastifyReply } from 'fastify'

// SQLite reads the whole value for each piece, so smaller ones cost more.
const PIECE_BYTES = 512 * 1024

/** Memory of a response that is streamed: the piece being sent, and the next. */
export const STREAM_BYTES = 2 * PIECE_BYTES

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
  // Read first: a failure then gets a normal error response.
  const first = await reply.readInTurn(() => readPiece(0, PIECE_BYTES))
  if (!first) throw new Fault('not_found')
  reply.type(type).header('content-length', sizeBytes).header('content-security-policy', "default-src 'none'; sandbox")
  if (first.byteLength >= sizeBytes) return reply.send(first)
  return sendPieces(reply, piecesOf(first, sizeBytes, readPiece))
}

/** Sends what is read piece by piece, each in a turn. An empty piece lets others have theirs. */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<string | Uint8Array>): FastifyReply {
  return reply.send(streamOf(inTurns(reply, pieces)))
}

async function* inTurns(reply: FastifyReply, pieces: AsyncIterable<string | Uint8Array>) {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await reply.readInTurn(() => iterator.next())
      if (done) return
      if (value.length > 0) yield value
    }
  } finally {
    await iterator.return?.()
  }
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
