export type FetchFailureCode =
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
