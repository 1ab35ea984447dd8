import { DocentError } from '@docent/sdk'
import { loadTexts } from '../texts/texts.tsx'
import type { FieldSentences, Texts } from '../texts/texts-type.ts'

/** An error as text, translated if the messages have its code. */
export function explainError(error: unknown, texts: Texts): string {
  if (!(error instanceof DocentError)) return texts.errors.offline
  const sentence = (texts.errors.codes as Record<string, string>)[error.code]
  const fields = error.details.map(({ path, message }) =>
    path ? `${path}: ${translateSentence(message)}` : translateSentence(message),
  )
  return [sentence ?? translateSentence(error.message), ...fields].join(' ')
}

// What the server says of a field, in the interface language. Loads with the first refused request.
let ofLanguage: FieldSentences = []

let loading: Promise<void> | undefined

/** Once; without them, errors are in English. */
export function loadFieldSentences(): Promise<void> {
  loading ??= load().catch(() => {
    loading = undefined
  })
  return loading
}

async function load(): Promise<void> {
  const { fieldSentences } = await loadTexts<typeof import('../texts/en/field-sentences.ts')>(
    (language) => import(`../texts/${language}/field-sentences.ts`),
  )
  ofLanguage = fieldSentences
}

export function translateSentence(sentence: string, sentences = ofLanguage): string {
  const entry = sentences.find(([pattern]) => pattern.test(sentence))
  if (!entry) return sentence
  const [pattern, translation] = entry
  const [, ...values] = pattern.exec(sentence) ?? []
  return translation.replace(/\$(\d)/g, (_, index) => values[index - 1] ?? '')
}
