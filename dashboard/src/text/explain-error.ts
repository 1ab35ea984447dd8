import { DocentError } from '@docent/sdk'
import type { Texts } from '../texts/texts-type.ts'

/** An error as text, translated if the messages have its code. */
export function explainError(error: unknown, texts: Texts): string {
  if (!(error instanceof DocentError)) return texts.errors.offline
  const known = (texts.errors.codes as Record<string, string>)[error.code]
  const { ofField } = texts.errors
  const fields = error.details.map(({ path, message }) => (path ? `${path}: ${ofField(message)}` : ofField(message)))
  return [known ?? ofField(error.message), ...fields].join(' ')
}
