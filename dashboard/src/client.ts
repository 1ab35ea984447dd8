// The one way to the server: the typed client of the sdk, with the session's cookie.
import { createClient, DocentError } from '@docent/sdk'

export const client = createClient({ baseUrl: location.origin })

export function isError(error: unknown, code: string): error is DocentError {
  return error instanceof DocentError && error.code === code
}

let translate = (sentence: string) => sentence

/** From now on what the server says of fields is shown in the reader's language. */
export function translateFieldErrors(ofField: (sentence: string) => string) {
  translate = ofField
}

/** What the server said of one field of a form. */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof DocentError)) return undefined
  const found = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
  return found && translate(found.message)
}
