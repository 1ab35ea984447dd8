import type { en } from './en.ts'

/** What every language must say: the same keys, functions where en.ts has functions. */
type Words<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : T[K] extends string
      ? string
      : Words<T[K]>
}
export type Messages = Words<typeof en>
