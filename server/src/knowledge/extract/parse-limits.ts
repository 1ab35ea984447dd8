// What one document may ask of the parsers. The one whose document is over a limit is told which.
import { UnreadableFile } from '../files/unreadable-file.ts'

export interface ParseLimits {
  /** How many elements may lie within each other. */
  maxDepth: number
  /** What a packed file may unpack to. */
  maxBytes: number
}

export const defaultParseLimits: ParseLimits = { maxDepth: 10_000, maxBytes: 64 * 1024 ** 2 }

/** Counts the elements that are open: the time of most parsers grows with the square of it. */
export function createDepthCounter(maxDepth: number) {
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
