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

/** No response: the address is wrong, the server is down, or the connection broke. `cause` has the reason. */
export class DocentConnectionError extends Error {
  override readonly name: string = 'DocentConnectionError'
  /** The address that was called, without its query. */
  readonly url: string

  constructor(message: string, url: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.url = url
  }
}

/** The server was silent for longer than `timeoutMs`. */
export class DocentTimeoutError extends DocentConnectionError {
  override readonly name = 'DocentTimeoutError'
}

export function toConnectionError(error: unknown, url: string): DocentConnectionError {
  if (error instanceof DocentConnectionError) return error
  return new DocentConnectionError(`${url} cannot be reached${reasonOf(error)}.`, url, error)
}

/** Node hides the reason in the cause; browsers tell none. */
function reasonOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const reason = cause?.code ?? code
  return typeof reason === 'string' ? ` (${reason})` : ''
}
