// Parses request bodies: JSON as a whole, newline-delimited JSON and CSV as a stream of items.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { makeByteCollector } from '../../catalogue/feeds/json-splitter.ts'
import { csvRecords } from '../../sources/csv.ts'

const NEWLINE = 10
const LONGEST_LINE_BYTES = 16 * 1024 * 1024
const LINE_TOO_LONG = 'The line is longer than 16 MB.'
const JSON_TYPE = 'application/json'
const LINES_TYPE = 'application/x-ndjson'

const utf8 = new TextDecoder('utf-8', { fatal: true })

declare module 'fastify' {
  interface FastifyRequest {
    /** Items of a newline-delimited body, as they arrive. */
    items: AsyncIterable<unknown> | null
    /** A body declared as JSON that does not parse. */
    unparsedBody: Buffer | null
  }
}

export function installBodies(app: FastifyInstance) {
  app.decorateRequest('items', null)
  app.decorateRequest('unparsedBody', null)
  app.removeAllContentTypeParsers()

  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    request.unparsedBody = body
    const value = parseJson(body)
    request.unparsedBody = null
    return value
  })

  app.addContentTypeParser(LINES_TYPE, async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const { config, bodyLimit } = request.routeOptions
    if (!config.bulk) throw new Fault('unsupported_media_type')
    request.items = ndjsonItems(payload, bodyLimit)
    return { [config.bulk]: [] }
  })

  app.addContentTypeParser('text/csv', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const { config, bodyLimit } = request.routeOptions
    if (!config.bulk) throw new Fault('unsupported_media_type')
    request.items = csvRecords(decode(payload, bodyLimit))
    return { [config.bulk]: [] }
  })

  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    if (!request.routeOptions.config.multipart) throw new Fault('unsupported_media_type')
    return payload
  })
}

/** 1_048_576 → "1 MB", 262_144 → "256 KB". */
export function tooLarge(limitBytes: number, what = 'The request body'): Fault {
  const kilobytes = Math.floor(limitBytes / 1024)
  const limit = kilobytes < 1024 ? `${kilobytes} KB` : `${Math.floor(kilobytes / 102.4) / 10} MB`
  return new Fault('payload_too_large', { message: `${what} is too large. It can have at most ${limit}.` })
}

async function* decode(payload: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

/** Leaves bodies unread for the handlers of this scope. Anything not declared as lines counts as JSON. */
export function streamBodies(scope: FastifyInstance) {
  scope.addHook('onRequest', async ({ headers }) => {
    if (!isLines(headers)) headers['content-type'] = 'application/json'
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([JSON_TYPE, LINES_TYPE], async (_request: unknown, payload: Readable) => payload)
}

export function isLines(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.trim().toLowerCase().startsWith(LINES_TYPE) ?? false
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw new Fault('invalid_json')
  }
}

/** One item per line. Invalid JSON becomes a fault for that line, so that the rest continues. */
async function* ndjsonItems(payload: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<unknown> {
  const line = makeByteCollector(LONGEST_LINE_BYTES)
  let size = 0
  for await (const chunk of payload) {
    size += chunk.length
    if (size > limitBytes) throw tooLarge(limitBytes)
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

function* lineItem(line: Buffer | null): Generator<unknown> {
  if (line === null) return yield new Fault('payload_too_large', { message: LINE_TOO_LONG })
  if (line.toString('latin1').trim() === '') return
  try {
    yield parseJson(line)
  } catch (error) {
    yield error
  }
}
