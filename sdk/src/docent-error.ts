import type { ErrorCode, ErrorDetail } from '@docent/contract'

interface ErrorFields {
  status: number
  /** From the service's catalogue; `unexpected_answer` when something between us and the service answered. */
  code: ErrorCode | 'unexpected_answer'
  message: string
  details?: ErrorDetail[] | undefined
  requestId?: string | undefined
  /** Seconds to wait before the next try. */
  retryAfter?: number | undefined
}

/** An answer of the service that is a failure. */
export class DocentError extends Error {
  readonly status: ErrorFields['status']
  readonly code: ErrorFields['code']
  /** One entry per field that was wrong. */
  readonly details: ErrorDetail[]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor({ status, code, message, details = [], requestId, retryAfter }: ErrorFields) {
    super(message)
    this.name = 'DocentError'
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

export async function toDocentError(response: Response): Promise<DocentError> {
  const { status, headers } = response
  const retryAfter = headers.get('retry-after')
  return new DocentError({
    ...told(await response.text(), status),
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
  })
}

function told(text: string, status: number): Pick<ErrorFields, 'code' | 'message' | 'details'> {
  try {
    const { code, message, details } = JSON.parse(text).error
    if (typeof code === 'string') return { code: code as ErrorCode, message: String(message), details }
  } catch {
    // Not the service's own answer: a proxy's error page, perhaps.
  }
  return { code: 'unexpected_answer', message: `The answer has status ${status} and is not one of Docent's.` }
}
