// How request bodies are read: JSON whole, newline-delimited JSON as a stream of items.
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

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
  let rest: Buffer = Buffer.alloc(0)
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > limitBytes) throw new Fault('payload_too_large')
    const lines = splitLines(Buffer.concat([rest, chunk]))
    rest = lines.pop() ?? Buffer.alloc(0)
    for (const line of lines) yield* lineItem(line)
  }
  yield* lineItem(rest)
}

function* lineItem(line: Buffer): Generator<unknown> {
  if (line.toString('latin1').trim() === '') return
  try {
    yield parseJson(line)
  } catch (error) {
    yield error
  }
}

function splitLines(buffer: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, start)) {
    lines.push(buffer.subarray(start, end))
    start = end + 1
  }
  lines.push(buffer.subarray(start))
  return lines
}
