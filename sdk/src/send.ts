// Sends a request: gives up on a silent server, and repeats what can be repeated safely.
import { DocentConnectionError, DocentError, DocentTimeoutError, toConnectionError, toDocentError } from './errors.ts'

export interface SendOptions {
  fetch: typeof fetch
  timeoutMs: number
  maxRetries: number
}

export interface Outgoing {
  url: string
  method: string
  headers: Record<string, string>
  body?: string | FormData | undefined
  signal?: AbortSignal | undefined
  onResponse?: ((response: Response) => void) | undefined
}

const BODILESS = [204, 205, 304]
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8000
/** A caller that must wait longer is told so instead. */
const LONGEST_RETRY_AFTER_SECONDS = 30

/** Sends until `read` has what it needs from the response, which must be a success. */
export async function send<T>(
  outgoing: Outgoing,
  { fetch, timeoutMs, maxRetries }: SendOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt()
    } catch (error) {
      if (retries >= maxRetries || !isRepeatable(outgoing, error)) throw error
      await wait(waitMs(error, retries), outgoing.signal)
    }
  }

  async function attempt(): Promise<T> {
    const { url, method, headers, body, signal, onResponse } = outgoing
    const silence = makeSilence(withoutQuery(url), timeoutMs)
    const explain = (error: unknown) => {
      if (signal?.aborted) return error
      return silence.signal.aborted ? silence.signal.reason : toConnectionError(error, withoutQuery(url))
    }
    // How long an upload takes depends on the line.
    if (!(body instanceof FormData)) silence.begin()
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    })
      .catch((error) => {
        throw explain(error)
      })
      .finally(silence.end)
    onResponse?.(response)
    const watchedResponse = watchBody(response, silence, explain)
    if (!watchedResponse.ok) throw await toDocentError(watchedResponse)
    return read(watchedResponse)
  }
}

function withoutQuery(url: string): string {
  return url.split('?')[0] ?? url
}

/** Aborts when the server says nothing for too long. */
function makeSilence(url: string, timeoutMs: number) {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const giveUp = () => controller.abort(new DocentTimeoutError(`${url} did not answer within ${timeoutMs} ms.`, url))
  return {
    signal: controller.signal,
    begin() {
      clearTimeout(timer)
      if (Number.isFinite(timeoutMs)) timer = setTimeout(giveUp, timeoutMs)
    },
    end: () => clearTimeout(timer),
  }
}

/** The same response, with a limit on the wait for each part of its body. */
function watchBody(
  response: Response,
  silence: ReturnType<typeof makeSilence>,
  explain: (error: unknown) => unknown,
): Response {
  // In Chromium a 204 has an empty body, with which no response can be made.
  if (!response.body || BODILESS.includes(response.status)) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        silence.begin()
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(explain(error))
        } finally {
          silence.end()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Read only when asked: a slow consumer is not a silent server.
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}

/** Whether running the request twice has the effect of running it once, or the server said that it did not run. */
function isRepeatable({ method, headers }: Outgoing, error: unknown): boolean {
  const isIdempotent = method === 'GET' || method === 'PUT' || headers['idempotency-key'] !== undefined
  if (error instanceof DocentConnectionError) return isIdempotent
  if (!(error instanceof DocentError)) return false
  const { status, code, retryAfter = 0 } = error
  if (retryAfter > LONGEST_RETRY_AFTER_SECONDS) return false
  if (status === 429) return code !== 'daily_quota_exceeded'
  // The first attempt is still running, and says when to look again.
  if (code === 'idempotency_conflict') return retryAfter > 0
  return isIdempotent && status >= 500
}

function waitMs(error: unknown, retries: number): number {
  if (error instanceof DocentError && error.retryAfter) return error.retryAfter * 1000
  // Random, so that many callers do not come back at once.
  return Math.min(FIRST_WAIT_MS * 2 ** retries, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}
