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

// Of each error, the paths that a field shows: a form's notice does not repeat them.
const shownPaths = new WeakMap<DocentError, Set<string>>()

/** What the server said of one field of a form, which shows it. */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof DocentError)) return undefined
  const found = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
  if (!found) return undefined
  shownPaths.set(error, (shownPaths.get(error) ?? new Set()).add(found.path))
  return translate(found.message)
}

/** What no field shows of an error; null: all of it is shown. */
export function unshownOf(error: unknown): unknown {
  const shown = error instanceof DocentError && shownPaths.get(error)
  if (!shown) return error
  const details = error.details.filter(({ path }) => !shown.has(path))
  return details.length > 0 ? Object.assign(Object.create(error), { details }) : null
}
