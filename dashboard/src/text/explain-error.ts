import { DocentError } from '@docent/sdk'
import type { Texts } from '../texts/texts-type.ts'
import { translateSentence } from './field-sentences.ts'

/** An error as text, translated if the messages have its code. */
export function explainError(error: unknown, texts: Texts): string {
  if (!(error instanceof DocentError)) return texts.errors.offline
  const sentence = (texts.errors.codes as Record<string, string>)[error.code]
  const fields = error.details.map(({ path, message }) =>
    path ? `${path}: ${translateSentence(message)}` : translateSentence(message),
  )
  return [sentence ?? translateSentence(error.message), ...fields].join(' ')
}
