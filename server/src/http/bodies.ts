// How request bodies are read: JSON whole, newline-delimited JSON and CSV as a stream of items.
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { csvRecords } from '../knowledge/csv.ts'

const NEWLINE = 10
const LONGEST_LINE_BYTES = 16 * 1024 * 1024
const LINE_TOO_LONG = 'The line is longer than 16 MB.'

const utf8 = new TextDecoder('utf-8', { fatal: true })

declare module 'fastify' {
  interface FastifyRequest {
    /** The items of a newline-delimited body, as they arrive. */
    items: AsyncIterable<unknown> | null
  }
}

export function installBodies(app: FastifyInstance) {
  app.decorateRequest('items', null)
  app.removeAllContentTypeParsers()

  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length === 0) return undefined
    return parseJson(body)
  })

  app.addContentTypeParser('application/x-ndjson', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const { config, bodyLimit } = request.routeOptions
    if (!config.bulk) throw new Fault('unsupported_media_type')
    request.items = ndjsonItems(payload, bodyLimit)
    return { [config.bulk]: [] }
  })

  app.addContentTypeParser('text/csv', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const { config, bodyLimit } = request.routeOptions
    if (!config.bulk) throw new Fault('unsupported_media_type')
    request.items = csvRecords(decoded(payload, bodyLimit))
    return { [config.bulk]: [] }
  })
}

async function* decoded(payload: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > limitBytes) throw new Fault('payload_too_large')
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw new Fault('invalid_json')
  }
}

/** One item a line. A line that is no JSON becomes a fault of its own, so that the rest goes on. */
async function* ndjsonItems(payload: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<unknown> {
  const line = lineCollector()
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > limitBytes) throw new Fault('payload_too_large')
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end))
      yield* lineItem(line.take())
      start = end + 1
    }
    line.add(chunk.subarray(start))
  }
  yield* lineItem(line.take())
}

function* lineItem(line: Buffer | Fault): Generator<unknown> {
  if (line instanceof Fault) return yield line
  if (line.toString('latin1').trim() === '') return
  try {
    yield parseJson(line)
  } catch (error) {
    yield error
  }
}

/** One line, in a buffer that doubles when it is full: however small the chunks, a byte is copied about twice. */
function lineCollector() {
  let bytes = Buffer.allocUnsafe(64 * 1024)
  let length = 0
  let tooLong = false
  return {
    add(part: Buffer) {
      tooLong ||= length + part.length > LONGEST_LINE_BYTES
      if (tooLong) return
      if (length + part.length > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, length + part.length))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      part.copy(bytes, length)
      length += part.length
    },
    /** The line so far, good until the next part is added; the next line starts empty. */
    take(): Buffer | Fault {
      const line = tooLong ? new Fault('payload_too_large', { message: LINE_TOO_LONG }) : bytes.subarray(0, length)
      length = 0
      tooLong = false
      return line
    },
  }
}
