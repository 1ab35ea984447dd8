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
