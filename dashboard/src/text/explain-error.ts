import { DocentError } from '@docent/sdk'
import type { Messages } from '../messages/messages-type.ts'

/** An error as text, translated if the messages have its code. */
export function explainError(error: unknown, messages: Messages): string {
  if (!(error instanceof DocentError)) return messages.errors.offline
  const known = (messages.errors.codes as Record<string, string>)[error.code]
  const { ofField } = messages.errors
  const fields = error.details.map(({ path, message }) => (path ? `${path}: ${ofField(message)}` : ofField(message)))
  return [known ?? ofField(error.message), ...fields].join(' ')
}
