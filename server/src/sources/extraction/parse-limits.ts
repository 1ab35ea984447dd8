// Limits for parsing one document. Exceeding one gives an error that names it.

export interface ParseLimits {
  /** How deep elements may be nested. */
  maxDepth: number
  /** The largest decompressed size. */
  maxBytes: number
}

/** Of one document, in characters. */
export const LONGEST_TEXT = 2_000_000

export const defaultParseLimits: ParseLimits = { maxDepth: 10_000, maxBytes: 64 * 1024 ** 2 }

/** Counts open elements: most parsers' time grows with the square of the depth. */
export function makeDepthCounter(maxDepth: number) {
  let depth = 0
  return {
    open() {
      if (++depth <= maxDepth) return
      const most = maxDepth.toLocaleString('en')
      throw new UnreadableFile(`This file is nested more than ${most} elements deep.`)
    },
    close() {
      depth--
    },
    depth: () => depth,
  }
}

/** What is wrong with a file, for programs; `unreadable` covers damage and limits. */
export type FileProblem = 'unreadable' | 'password_protected' | 'no_text'

/** The message tells the user what is wrong with the file. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
  readonly problem: FileProblem

  constructor(message: string, problem: FileProblem = 'unreadable') {
    super(message)
    this.problem = problem
  }
}
