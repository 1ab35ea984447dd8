import { DocentError } from '@docent/sdk'
import { fieldError } from '../../client.ts'
import { texts } from './action-texts.ts'

/** What the server has against a field, in the language of the interface. */
export function fieldProblem(error: unknown, path: string): string | null {
  const sentence = fieldError(error, path)
  return sentence === undefined ? null : texts.problem(sentence)
}

/** What it has against a group of fields, unless one of them is to blame. */
export function groupProblem(error: unknown, path: string): string | null {
  const paths = error instanceof DocentError ? error.details.map((detail) => detail.path) : []
  return paths.some((each) => each.startsWith(`${path}.`)) ? null : fieldProblem(error, path)
}
