// A search's notes on products or groups, in reusable arrays: marks of earlier searches have an older number, so
// nothing has to be cleared.

export interface Marks {
  /** Number of the current search. */
  now: number
  madeBy: Uint32Array
  /** Matched criteria, as bits. */
  met: Uint32Array
  strong: Uint32Array
  head: Uint32Array
  scores: Float32Array
  /** For a group, its best matching member. */
  best: Int32Array
  touched: Int32Array
  count: number
}

export function createMarks(): Marks {
  return createSizedMarks(64)
}

/** Prepares the marks for a search over this many. */
export function resetMarks(marks: Marks, count: number): Marks {
  if (count > marks.madeBy.length || marks.now > 4e9)
    Object.assign(marks, createSizedMarks(Math.max(64, Math.ceil(count * 1.5))))
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

function createSizedMarks(length: number): Marks {
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
