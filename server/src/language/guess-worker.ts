// Guesses the language of one text after another, in a thread of its own.
import { parentPort } from 'node:worker_threads'
import { eld } from 'eld/extrasmall'
import type { LanguageGuess } from './guess-language.ts'

parentPort?.on('message', (text: string) => {
  const found = eld.detect(text)
  const guess: LanguageGuess = {
    language: found.language,
    isReliable: found.isReliable(),
    scores: found.getScores(),
  }
  parentPort?.postMessage(guess)
})
