// The reader's input: [CLS] question [EARLIER] earlier questions [SEP] page › heading [BODY] passage [SEP].
// Training uses the same functions, so that the model sees the same input in production.
import type { Tokenize } from './wordpiece.ts'

export interface ReaderQuestion {
  text: string
  /** The visitor's earlier questions, oldest first. */
  earlier: readonly string[]
}

export interface ReaderPassage {
  title: string
  headings: readonly string[]
  text: string
}

interface ReaderTokens {
  ids: number[]
  /** Index in `ids` where the passage's own text begins. */
  textFrom: number
  /** Character offsets of each token of the text. */
  starts: number[]
  ends: number[]
}

export const CLS = 101
export const SEP = 102
// Unused tokens of the base model separate the question from earlier ones, and a heading from its text.
const EARLIER = 1
const BODY = 2

const QUESTION_TOKENS = 56
const EARLIER_TOKENS = 32
const TITLE_TOKENS = 40
/** The reader ignores older questions. */
export const EARLIER_TURNS = 2
export const LONGEST_INPUT = 256

export function questionTokens({ text, earlier }: ReaderQuestion, tokenize: Tokenize): number[] {
  const { ids } = tokenize(text, QUESTION_TOKENS)
  const before = earlier.slice(-EARLIER_TURNS).join(' ; ')
  if (before === '') return ids
  return [...ids, EARLIER, ...tokenize(before).ids.slice(-EARLIER_TOKENS)]
}

export function passageTokens({ title, headings, text }: ReaderPassage, tokenize: Tokenize): ReaderTokens {
  const names = [...new Set([title, ...headings].map((name) => name.trim()).filter(Boolean))]
  const head = names.length > 0 ? [...tokenize(names.join(' > '), TITLE_TOKENS).ids, BODY] : []
  const body = tokenize(text, LONGEST_INPUT)
  return { ids: [...head, ...body.ids], textFrom: head.length, starts: body.starts, ends: body.ends }
}
