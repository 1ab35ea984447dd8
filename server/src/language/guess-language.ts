// Guesses a language from letters alone. The tables take 60 MB, and 130 ms to load, so they live in a thread that is
// started by the first text that needs them: no request waits for it, and a server that never needs them saves the memory.
import { Worker } from 'node:worker_threads'

export interface LanguageGuess {
  /** Empty where nothing is known. */
  language: string
  isReliable: boolean
  scores: Record<string, number>
}

type Receive = (guess: LanguageGuess | null) => void

const waiting: Receive[] = []
let worker: Worker | null = null
let hasFailed = false

/** Null where the tables cannot be loaded. */
export function guessLanguage(text: string): Promise<LanguageGuess | null> {
  if (hasFailed) return Promise.resolve(null)
  return new Promise((resolve) => {
    worker ??= start()
    waiting.push(resolve)
    // Held while somebody waits, so that a program that does nothing else does not end before the answer.
    worker.ref()
    worker.postMessage(text)
  })
}

function start(): Worker {
  const made = new Worker(new URL('./guess-worker.ts', import.meta.url), {
    // The tables fit; what loading leaves behind is collected sooner than it would be by itself.
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 },
  })
  // Answers come in the order of the questions.
  made.on('message', (guess: LanguageGuess) => {
    waiting.shift()?.(guess)
    if (waiting.length === 0) made.unref()
  })
  made.on('error', () => {
    hasFailed = true
    for (const receive of waiting.splice(0)) receive(null)
  })
  return made
}
