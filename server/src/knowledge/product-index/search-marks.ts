// What a search notes about products or groups while it runs, in arrays that are kept from one search to the next:
// a mark counts only when it was made by the search at hand, so nothing has to be wiped.

export interface Marks {
  /** Number of the search at hand. */
  now: number
  madeBy: Uint32Array
  /** Criteria met, as bits. */
  met: Uint32Array
  strong: Uint32Array
  head: Uint32Array
  scores: Float32Array
  /** Of a group, the member that fits best. */
  best: Int32Array
  touched: Int32Array
  count: number
}

export function createMarks(): Marks {
  return sized(64)
}

/** Ready for one search over so many. */
export function marksFor(marks: Marks, count: number): Marks {
  if (count > marks.madeBy.length || marks.now > 4e9) Object.assign(marks, sized(Math.max(64, Math.ceil(count * 1.5))))
  marks.now++
  marks.count = 0
  return marks
}

/** True the first time in a search. */
export function touch(marks: Marks, at: number): boolean {
  if (marks.madeBy[at] === marks.now) return false
  marks.madeBy[at] = marks.now
  marks.met[at] = 0
  marks.strong[at] = 0
  marks.head[at] = 0
  marks.scores[at] = 0
  marks.touched[marks.count++] = at
  return true
}

function sized(length: number): Marks {
  return {
    now: 0,
    madeBy: new Uint32Array(length),
    met: new Uint32Array(length),
    strong: new Uint32Array(length),
    head: new Uint32Array(length),
    scores: new Float32Array(length),
    best: new Int32Array(length),
    touched: new Int32Array(length),
    count: 0,
  }
}
