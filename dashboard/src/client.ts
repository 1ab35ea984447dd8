// The sdk's typed client for our own server, authenticated by the session cookie.
import { createClient, DocentConnectionError, DocentError } from '@docent/sdk'
import { loadFieldSentences, translateSentence } from './text/explain-error.ts'

// Queries are retried by TanStack Query.
export const client = createClient({
  baseUrl: location.origin,
  maxRetries: 0,
  timeoutMs: 300_000,
  async fetch(...request) {
    const response = await fetch(...request)
    // So that the error can be shown. One that leads to the log-in need not wait.
    if (!response.ok && response.status !== 401) await loadFieldSentences()
    return response
  },
})

export function isError(error: unknown, code: string): error is DocentError {
  return error instanceof DocentError && error.code === code
}

/** The server is down or restarts; a proxy in front of it answers for it with 502 or 504. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DocentError) return error.status >= 502 && error.status <= 504
  return error instanceof DocentConnectionError
}

// Paths shown at their fields, so that the form's notice does not repeat them.
const shownPaths = new WeakMap<DocentError, Set<string>>()

/** The error of one form field; it then counts as shown. */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof DocentError)) return undefined
  const fieldProblem = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
  if (!fieldProblem) return undefined
  shownPaths.set(error, (shownPaths.get(error) ?? new Set()).add(fieldProblem.path))
  return translateSentence(fieldProblem.message)
}

/** The error without the details that fields show; null if they show all of it. */
export function remainingError(error: unknown): unknown {
  const paths = error instanceof DocentError && shownPaths.get(error)
  if (!paths) return error
  const details = error.details.filter(({ path }) => !paths.has(path))
  return details.length > 0 ? Object.assign(Object.create(error), { details }) : null
}
