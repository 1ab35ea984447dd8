// Reads and decompresses a response body, up to a size limit before and after decompression.
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchFailure } from './fetch-failure.ts'

/** Each encoding needs its own decoder in memory. */
const MOST_ENCODINGS = 2

const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

type Receive = (chunk: Buffer) => Promise<void>

/** The receiver of the body failed, not its sender. */
export class ReceiveError extends Error {}

export async function readBody(
  body: Readable,
  encodings: string,
  limitBytes: number,
  receive?: Receive,
): Promise<Uint8Array> {
  let stream: Readable = body
  try {
    const packings = encodings
      .toLowerCase()
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== 'identity')
    if (packings.length > MOST_ENCODINGS)
      throw new FetchFailure('broken_answer', 'The response is compressed too many times.')
    for (const encoding of packings.reverse()) {
      const unpacker = unpackers[encoding]?.()
      if (!unpacker)
        throw new FetchFailure('broken_answer', `The response uses the unsupported encoding ${encoding.slice(0, 20)}.`)
      stream.on('error', (error) => unpacker.destroy(error))
      if (stream === body) limitCompressedSize(body, limitBytes, unpacker)
      stream = stream.pipe(unpacker)
    }
    return await collect(stream, limitBytes, receive)
  } finally {
    // Stop receiving once nobody reads.
    body.on('error', () => {}).destroy()
    stream.on('error', () => {}).destroy()
  }
}

/** A compressed stream may never end and yet decompress to nothing, so limit its compressed size too. */
function limitCompressedSize(body: Readable, limitBytes: number, unpacker: Transform) {
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limitBytes) unpacker.destroy(tooLarge(limitBytes))
  })
}

async function collect(stream: Readable, limitBytes: number, receive?: Receive): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    if (receive)
      await receive(chunk).catch((cause) => {
        throw new ReceiveError('the receiver of the body failed', { cause })
      })
    else chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function tooLarge(limitBytes: number): FetchFailure {
  return new FetchFailure('too_large', `The response is larger than ${limitBytes} bytes.`)
}
