// Whatever goes wrong becomes one word of ours; the error itself is dropped, since it holds the prompt and maybe the key.
import type { FailureCause, FailureReason } from '../types.ts'

export class ProviderFailure extends Error {
  readonly details: FailureCause

  constructor(details: FailureCause) {
    super(details.failed)
    this.name = 'ProviderFailure'
    this.details = details
  }
}

export function cause(failed: FailureReason, more: Partial<FailureCause> = {}): FailureCause {
  return { status: null, code: null, retryAfterMs: null, ...more, failed }
}

export function reasonOfStatus(status: number): FailureReason {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'provider_error' : 'bad_request'
}

export function causeOf(error: unknown): FailureCause {
  const own = ownFailure(error)
  if (own) return own.details
  const name = error instanceof Error ? error.name : ''
  // The SDK's names for a stream that ends before it says that it is done.
  if (name === 'AI_InvalidResponseDataError' || name === 'AI_NoOutputGeneratedError') return cause('interrupted')
  if (name === 'AI_StreamProviderError' || name === 'AI_APICallError') return causeOfReportedError(error)
  return cause('broken_response')
}

/** An error that the provider reports inside a stream which began well. */
function causeOfReportedError(error: unknown): FailureCause {
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status !== 'number' || status < 400) return cause('provider_error')
  return cause(reasonOfStatus(status), { status })
}

function ownFailure(error: unknown): ProviderFailure | null {
  // The SDK wraps what a response body throws; four levels are more than it uses.
  let current = error
  for (let level = 0; level < 4 && current instanceof Error; level++) {
    if (current instanceof ProviderFailure) return current
    current = current.cause
  }
  return null
}
