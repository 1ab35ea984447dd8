// Fetches one page over guarded connections, within time and size limits. The address of each redirect is checked too.

import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Agent, type Dispatcher, errors, request } from 'undici'
import { parseUrl, RefusedUrl } from './guard.ts'

interface PageRequest {
  url: string
  /** For conditional requests: the server may respond with 304. */
  etag?: string | null
  lastModified?: string | null
  accept?: string
  /** How many redirects to follow; the next one is returned as the response. Default: none. */
  redirects?: number
  /** Of the body; decided by the status and headers where it depends on them. */
  limitBytes: number | ((response: PageResponse) => number)
  timeoutMs: number
  signal?: AbortSignal
  /** Basic credentials, for the host of `url` only. */
  authorization?: string | null
  /** Further headers, for the host of `url` only. */
  headers?: Record<string, string>
  /** Sent as a POST of JSON. */
  json?: string
  /** Receives the body in chunks; the response's body is then empty. */
  receive?: (chunk: Buffer) => Promise<void>
  /** Decides from the status and headers whether to read the body. Default: always. */
  wants?: (response: PageResponse) => boolean
}

export interface PageResponse {
  /** The final URL, after redirects. */
  url: string
  status: number
  /** Names in lower case; repeated headers are joined. */
  headers: Record<string, string>
  /** The target of a redirect. */
  location: string | null
  /** Empty when it was not read. */
  body: Uint8Array
}

export type FetchPage = (page: PageRequest) => Promise<PageResponse>

export function makeFetchPage(agent: Agent, userAgent: string): FetchPage {
  return async (page) => {
    const timeout = AbortSignal.timeout(page.timeoutMs)
    const signal = page.signal ? AbortSignal.any([timeout, page.signal]) : timeout
    try {
      let url = parseUrl(page.url)
      for (let redirectsLeft = page.redirects ?? 0; ; redirectsLeft--) {
        const isFirstOrigin = url.origin === new URL(page.url).origin
        const response = await fetchOne(
          url,
          isFirstOrigin ? page : { ...page, authorization: null, headers: {} },
          signal,
        )
        if (response.location === null || !page.redirects) return response
        if (redirectsLeft === 0) throw new FetchFailure('too_many_redirects', 'Too many redirects.')
        url = parseUrl(response.location)
      }
    } catch (error) {
      page.signal?.throwIfAborted()
      if (error instanceof ReceiveError) throw error.cause
      throw timeout.aborted ? tooSlow(page.timeoutMs) : toFetchFailure(error, page.timeoutMs)
    }
  }

  async function fetchOne(url: URL, page: PageRequest, signal: AbortSignal): Promise<PageResponse> {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal,
      ...(page.json === undefined ? {} : { method: 'POST' as const, body: page.json }),
      headersTimeout: page.timeoutMs,
      bodyTimeout: page.timeoutMs,
      headers: {
        'user-agent': userAgent,
        accept: page.accept ?? 'text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.1',
        'accept-encoding': 'gzip, deflate, br',
        ...page.headers,
        ...(page.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(page.authorization ? { authorization: page.authorization } : {}),
        ...(page.etag ? { 'if-none-match': page.etag } : {}),
        ...(page.lastModified ? { 'if-modified-since': page.lastModified } : {}),
      },
    })
    const response: PageResponse = {
      url: url.href,
      status: statusCode,
      headers: joinHeaderValues(headers),
      location: null,
      body: new Uint8Array(),
    }
    const { location } = response.headers
    if (isRedirect(statusCode) && location && URL.canParse(location, url))
      response.location = new URL(location, url).href
    const isWanted = response.location === null && (page.wants?.(response) ?? true)
    if (!isWanted) {
      body.on('error', () => {}).destroy()
      return response
    }
    const limitBytes = typeof page.limitBytes === 'number' ? page.limitBytes : page.limitBytes(response)
    if (Number(response.headers['content-length'] ?? 0) > limitBytes) {
      body.on('error', () => {}).destroy()
      throw tooLarge(limitBytes)
    }
    response.body = await readBody(body, response.headers['content-encoding'] ?? '', limitBytes, page.receive)
    return response
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

function joinHeaderValues(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

function tooSlow(timeoutMs: number): FetchFailure {
  return new FetchFailure('timeout', `No complete response within ${timeoutMs / 1000} seconds.`)
}

/** The cause is for the log only: network errors about internal addresses must not reach the caller. */
function toFetchFailure(error: unknown, timeoutMs: number): FetchFailure {
  if (error instanceof FetchFailure) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RefusedUrl) return new FetchFailure('refused_address', cause.message)
    if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError)
      return tooSlow(timeoutMs)
    if (/^(Z_|ERR_BROTLI|ERR__ERROR)/.test(String((cause as NodeJS.ErrnoException).code)))
      return new FetchFailure('broken_answer', 'The response could not be decompressed.')
  }
  return new FetchFailure('unreachable', 'The server could not be reached or closed the connection.', { cause: error })
}

type FetchFailureCode =
  | 'refused_address'
  | 'timeout'
  | 'too_large'
  | 'unreachable'
  | 'broken_answer'
  | 'too_many_redirects'

/** Why a page could not be fetched. The message is safe to show to the user who gave the URL. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly code: FetchFailureCode

  constructor(code: FetchFailureCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

// Reads and decompresses a response body, up to a size limit before and after decompression.

/** Each encoding needs its own decoder in memory. */
const MAX_ENCODINGS = 2

const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

type Receive = (chunk: Buffer) => Promise<void>

/** The receiver of the body failed, not its sender. */
class ReceiveError extends Error {}

async function readBody(body: Readable, encodings: string, limitBytes: number, receive?: Receive): Promise<Uint8Array> {
  let stream: Readable = body
  try {
    const packings = encodings
      .toLowerCase()
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== 'identity')
    if (packings.length > MAX_ENCODINGS)
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

function tooLarge(limitBytes: number): FetchFailure {
  return new FetchFailure('too_large', `The response is larger than ${limitBytes} bytes.`)
}
