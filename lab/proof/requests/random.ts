// Random numbers that a seed repeats (mulberry32).

export interface Random {
  /** From 0 up to, and without, 1. */
  next: () => number
  /** A whole number from 0 up to, and without, this. */
  below: (end: number) => number
  chance: (share: number) => boolean
  pick: <T>(from: readonly T[]) => T
}

export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return { next, below, chance: (share) => next() < share, pick: (from) => from[below(from.length)] as never }
}
