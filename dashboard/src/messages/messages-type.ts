import type { en } from './en.ts'

/** What every language must have: the keys of en.ts, with functions where it has functions. */
type Translation<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : T[K] extends string
      ? string
      : Translation<T[K]>
}
export type Messages = Translation<typeof en>
