import type { FieldSentences } from '../texts-type.ts'

/** The server's sentences are in English. */
export const fieldSentences: FieldSentences = []
