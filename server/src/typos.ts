// How far a misspelt name is from a known one.

/** Letters to insert, delete or replace. */
export function typosBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1]
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (isSame ? 0 : 1)))
    }
    row = next
  }
  return row[other.length] ?? 0
}
