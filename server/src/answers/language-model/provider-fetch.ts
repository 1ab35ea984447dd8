// Wraps the fetch given to the SDK: rejects responses that are not event streams before the SDK reads them, limits
import { retryAfterMs } from '../../retry-after.ts'
import { createFailureCause, ProviderFailure, reasonOfStatus } from './provider.ts'
import type { FailureCause } from './types.ts'

// their size, and turns transport errors into failures without a message.

type Fetch = typeof globalThis.fetch

const ERROR_BODY_BYTES = 8_192
// Long reasoning at 300 bytes per event stays well below.
const STREAM_BYTES = 16 * 1024 * 1024
// Far above any legitimate event; the SDK's parser would buffer an endless line in memory.
const LINE_BYTES = 256 * 1024
const NEWLINE = 10
const CODE = /^[a-z][a-z_]{2,63}$/

export function providerFetch(fetch: Fetch): Fetch {
  return async (url, init) => {
    // A redirect would send the key to another host, in a header that fetch does not strip.
    const response = await fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      if (init?.signal?.aborted) throw error
      throw new ProviderFailure(createFailureCause('connection'))
    })
    if (!response.ok) throw new ProviderFailure(await readFailureCause(response))
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel().catch(() => {})
      throw new ProviderFailure(createFailureCause('broken_response', { status: response.status }))
    }
    return new Response(limitBody(response.body, init?.signal), { headers: response.headers })
  }
}

async function readFailureCause(response: Response): Promise<FailureCause> {
  const code = await errorCode(response).catch(() => null)
  const { status, headers } = response
  // Dates are relative to the provider's own clock.
  const waitMs = retryAfterMs(headers.get('retry-after'), Date.parse(headers.get('date') ?? ''))
  return createFailureCause(reasonOfStatus(status), { status, code, retryAfterMs: waitMs })
}

/** Accepts only a plain lower-case word, never the provider's text. */
async function errorCode(response: Response): Promise<string | null> {
  if (!response.body) return null
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > ERROR_BODY_BYTES) return null
  }
  const { error } = JSON.parse(text) as { error?: { code?: unknown; type?: unknown } }
  return [error?.code, error?.type].find((word): word is string => typeof word === 'string' && CODE.test(word)) ?? null
}

function limitBody(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let total = 0
  let line = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        total += value.length
        const newline = value.lastIndexOf(NEWLINE)
        line = newline < 0 ? line + value.length : value.length - newline - 1
        if (total <= STREAM_BYTES && line <= LINE_BYTES) return controller.enqueue(value)
        controller.error(new ProviderFailure(createFailureCause('too_long')))
        await reader.cancel()
      } catch (error) {
        controller.error(signal?.aborted ? error : new ProviderFailure(createFailureCause('interrupted')))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
