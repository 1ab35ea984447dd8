import type { ErrorCode, ErrorDetail } from '@docent/contract'

interface ErrorFields {
  status: number
  /** From the service's catalogue; `unexpected_answer` when something else answered, such as a proxy. */
  code: ErrorCode | 'unexpected_answer'
  message: string
  details?: ErrorDetail[] | undefined
  requestId?: string | undefined
  /** Seconds to wait before retrying. */
  retryAfter?: number | undefined
}

/** An error response of the service. */
export class DocentError extends Error {
  readonly status: ErrorFields['status']
  readonly code: ErrorFields['code']
  /** One entry per invalid field. */
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
    ...parseError(await response.text(), status),
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
  })
}

function parseError(text: string, status: number): Pick<ErrorFields, 'code' | 'message' | 'details'> {
  try {
    const { code, message, details } = JSON.parse(text).error
    if (typeof code === 'string') return { code: code as ErrorCode, message: String(message), details }
  } catch {
    // Not the service's own response: perhaps a proxy's error page.
  }
  return { code: 'unexpected_answer', message: `The answer has status ${status} and is not one of Docent's.` }
}
