// Posts a body to a user-given URL: no redirects, one overall timeout, and only the start of the response is read.
// It handles the raw dispatch events: a stream per response would cost more than sending.
import type { Agent, Dispatcher } from 'undici'
import { parseUrl } from './guard.ts'

interface PostResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The start of the response body. */
  excerpt: string
}

interface PostLimits {
  timeoutMs: number
  keptBytes: number
}

export type Post = (
  url: string,
  headers: Record<string, string>,
  body: Buffer,
  limits: PostLimits,
) => Promise<PostResponse>

const REMEMBERED = 1000
// One overall timer replaces these.
const ownTimeout = { headersTimeout: 0, bodyTimeout: 0 }

export function makeGuardedPost(agent: Agent): Post {
  // Caches parsing only: addresses are checked on every connection.
  const destinations = new Map<string, { origin: string; path: string }>()

  function destinationOf(url: string) {
    const cachedDestination = destinations.get(url)
    if (cachedDestination) return cachedDestination
    const { origin, pathname, search } = parseUrl(url)
    const destination = { origin, path: `${pathname}${search}` }
    if (destinations.size >= REMEMBERED) destinations.clear()
    destinations.set(url, destination)
    return destination
  }

  return (url, headers, body, limits) =>
    new Promise((resolve, reject) => {
      const { origin, path } = destinationOf(url)
      const listener = responseListener(limits, resolve, reject)
      agent.dispatch({ origin, path, method: 'POST', headers, body, ...ownTimeout }, listener)
    })
}

export class PostTimeout extends Error {
  override readonly name = 'PostTimeout'
}

function responseListener(
  { timeoutMs, keptBytes }: PostLimits,
  resolve: (response: PostResponse) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = []
  let length = 0
  let status = 0
  let headers: PostResponse['headers'] = {}
  let call: Dispatcher.DispatchController | undefined
  let late: PostTimeout | undefined
  const timer = setTimeout(() => {
    late = new PostTimeout()
    reject(late)
    call?.abort(late)
  }, timeoutMs)

  function end() {
    clearTimeout(timer)
    const excerpt = length === 0 ? '' : Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8')
    resolve({ status, headers, excerpt })
  }

  return {
    onRequestStart(controller) {
      call = controller
      if (late) controller.abort(late)
    },
    onResponseStart(_, statusCode, responseHeaders) {
      status = statusCode
      headers = responseHeaders
    },
    onResponseData(controller, chunk) {
      chunks.push(chunk)
      length += chunk.length
      if (length < keptBytes) return
      end()
      controller.abort(new Error('enough was read'))
    },
    onResponseEnd: end,
    onResponseError(_, error) {
      clearTimeout(timer)
      reject(error)
    },
  }
}
