// Runs long work on the event loop in short slices, one at a time across all tasks, so that a question waits for
// one slice at most. While questions are being answered, slices run further apart.
const APART_MS = 15
/** A question that takes longer is waiting for something else, such as a language model. */
const LONGEST_HOLD_MS = 100
const BUSY_MS = 1000
/** The longest time that one slice may block the event loop. */
const SLICE_MS = 0.7

export interface BackgroundLane {
  /** Waits for the next slice. */
  nextSlice(): Promise<void>
  /** Whether a question arrived recently, so that another is likely. */
  isBusy(): boolean
  /** Runs work ahead of everything in the lane. */
  runFirst<T>(work: () => Promise<T>): Promise<T>
}

/** Call after each step: when the slice is used up, waits for the next one. */
export function makeSliceTimer(nextSlice: () => Promise<void>): () => Promise<void> | undefined {
  let sliceStart = performance.now()
  return () => {
    if (performance.now() - sliceStart < SLICE_MS) return undefined
    return nextSlice().then(() => {
      sliceStart = performance.now()
    })
  }
}

export function openBackgroundLane(): BackgroundLane {
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
    nextSlice: () =>
      new Promise((resolve) => {
        if (waiting.push(resolve) === 1) schedule()
      }),
    isBusy: () => performance.now() - lastBegun < BUSY_MS,
    async runFirst(work) {
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
