import type { actions } from './en/actions.ts'
import type { en } from './en.ts'

/** The type of every language: the keys of en.ts, with functions in the same places. */
type Translation<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : T[K] extends string
      ? string
      : Translation<T[K]>
}
export type Texts = Translation<typeof en>
export type ActionTexts = Translation<typeof actions>
