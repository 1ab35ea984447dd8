// Runs the reader on a question's candidate passages: how likely each one answers the question, and where.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CLS,
  LONGEST_INPUT,
  passageTokens,
  questionTokens,
  type ReaderPassage,
  type ReaderQuestion,
  SEP,
} from '../reader-input.ts'
import type { Reading } from '../types.ts'
import { makeTokenizer } from '../wordpiece.ts'
import { openSession } from './session.ts'

// Batch passages of similar length: padding makes a short passage as expensive as the longest one.
const READ_TOGETHER = 4
const LONGEST_SPAN_TOKENS = 40

interface Row {
  index: number
  ids: number[]
  firstSegment: number
  textFrom: number
  starts: number[]
  ends: number[]
}

export async function makeRead({ dir, file }: { dir: string; file: string }, threads: number) {
  const tokenize = makeTokenizer(readFileSync(join(dir, 'vocab.txt'), 'utf8').split('\n'))
  const run = await openSession(join(dir, file), threads)

  function rowOf(question: number[], passage: ReaderPassage, index: number): Row {
    const { ids, textFrom, starts, ends } = passageTokens(passage, tokenize)
    const firstSegment = question.length + 2
    const inputIds = ids.slice(0, LONGEST_INPUT - firstSegment - 1)
    return {
      index,
      ids: [CLS, ...question, SEP, ...inputIds, SEP],
      firstSegment,
      textFrom: firstSegment + textFrom,
      starts: starts.slice(0, inputIds.length - textFrom),
      ends,
    }
  }

  return async (question: ReaderQuestion, passages: readonly ReaderPassage[]): Promise<Reading[]> => {
    const questionIds = questionTokens(question, tokenize)
    const rows = passages.map((passage, index) => rowOf(questionIds, passage, index))
    rows.sort((a, b) => a.ids.length - b.ids.length)
    const readings: Reading[] = []
    for (let from = 0; from < rows.length; from += READ_TOGETHER) {
      const some = rows.slice(from, from + READ_TOGETHER)
      const output = await run(some)
      const [scores, spans] = [output.scores, output.span].map((tensor) => tensor?.data as Float32Array)
      if (!scores || !spans) throw new Error('the model gave no output')
      const width = Math.max(...some.map(({ ids }) => ids.length))
      for (const [r, row] of some.entries()) {
        const logits = spans.subarray(r * width * 2, (r + 1) * width * 2)
        const [relevance = 0, polarity = 0] = scores.subarray(r * 2, r * 2 + 2)
        readings[row.index] = { relevance, polarity, span: bestSpan(logits, row) }
      }
    }
    return readings
  }
}

/** The likeliest answer span in the text; start and end logits alternate. */
function bestSpan(logits: Float32Array, { textFrom, starts, ends }: Row): Reading['span'] {
  let best = { score: Number.NEGATIVE_INFINITY, first: -1, last: -1 }
  for (let first = 0; first < starts.length; first++) {
    const most = Math.min(starts.length, first + LONGEST_SPAN_TOKENS)
    for (let last = first; last < most; last++) {
      const score = logits[(textFrom + first) * 2]! + logits[(textFrom + last) * 2 + 1]!
      if (score > best.score) best = { score, first, last }
    }
  }
  if (best.first < 0) return null
  const nowhere = logits[0]! + logits[1]!
  return { start: starts[best.first]!, end: ends[best.last]!, lead: best.score - nowhere }
}
