// The one way to the server: the typed client of the sdk, with the session's cookie.
import { createClient, DocentError } from '@docent/sdk'

export const client = createClient({ baseUrl: location.origin })

export function isError(error: unknown, code: string): error is DocentError {
  return error instanceof DocentError && error.code === code
}

/** What the server said of one field of a form. */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof DocentError)) return undefined
  return error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))?.message
}
