// Long work on the event loop in short pieces, one piece of one worker at a time, so that however many there are, a
// question waits for one. While questions are being answered the pieces come further apart.
const APART_MS = 15
/** A question that takes longer waits for something else, such as a language model. */
const LONGEST_HOLD_MS = 100
const BUSY_MS = 1000
/** So long the event loop may be held by one piece. */
export const SLICE_MS = 0.7

export interface BackgroundLane {
  /** Waits for the next piece of time. */
  turn(): Promise<void>
  /** Whether there was a question a moment ago, so that the next one is to be expected. */
  isBusy(): boolean
  /** Work that goes ahead of what is in the lane. */
  ahead<T>(work: () => Promise<T>): Promise<T>
}

/** Tells after each step whether the piece of time is used up, and if so waits for the next. */
export function createSliceTimer(turn: () => Promise<void>): () => Promise<void> | undefined {
  let started = performance.now()
  return () => {
    if (performance.now() - started < SLICE_MS) return undefined
    return turn().then(() => {
      started = performance.now()
    })
  }
}

export function createBackgroundLane(): BackgroundLane {
  const waiting: (() => void)[] = []
  let questions = 0
  let lastBegun = Number.NEGATIVE_INFINITY

  function schedule() {
    if (questions > 0 && performance.now() - lastBegun < LONGEST_HOLD_MS) setTimeout(next, APART_MS)
    else setImmediate(next)
  }

  function next() {
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  }

  return {
    turn: () =>
      new Promise((resolve) => {
        if (waiting.push(resolve) === 1) schedule()
      }),
    isBusy: () => performance.now() - lastBegun < BUSY_MS,
    async ahead(work) {
      questions++
      lastBegun = performance.now()
      try {
        return await work()
      } finally {
        questions--
      }
    },
  }
}
