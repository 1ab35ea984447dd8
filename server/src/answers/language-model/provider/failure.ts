// Maps errors to our own failure reasons and drops the originals, which contain the prompt and possibly the key.
import type { FailureCause, FailureReason } from '../types.ts'

export class ProviderFailure extends Error {
  readonly details: FailureCause

  constructor(details: FailureCause) {
    super(details.failed)
    this.name = 'ProviderFailure'
    this.details = details
  }
}

export function createFailureCause(failed: FailureReason, more: Partial<FailureCause> = {}): FailureCause {
  return { status: null, code: null, retryAfterMs: null, ...more, failed }
}

export function reasonOfStatus(status: number): FailureReason {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'provider_error' : 'bad_request'
}

export function toFailureCause(error: unknown): FailureCause {
  const own = ownFailure(error)
  if (own) return own.details
  const name = error instanceof Error ? error.name : ''
  // SDK errors for a stream that ends prematurely.
  if (name === 'AI_InvalidResponseDataError' || name === 'AI_NoOutputGeneratedError')
    return createFailureCause('interrupted')
  if (name === 'AI_StreamProviderError' || name === 'AI_APICallError') return causeOfReportedError(error)
  return createFailureCause('broken_response')
}

/** An error reported by the provider within a running stream. */
function causeOfReportedError(error: unknown): FailureCause {
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status !== 'number' || status < 400) return createFailureCause('provider_error')
  return createFailureCause(reasonOfStatus(status), { status })
}

function ownFailure(error: unknown): ProviderFailure | null {
  // The SDK wraps errors of the response body, in fewer than four levels.
  let current = error
  for (let level = 0; level < 4 && current instanceof Error; level++) {
    if (current instanceof ProviderFailure) return current
    current = current.cause
  }
  return null
}
