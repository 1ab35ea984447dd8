// Word BM25 over the passages of one bot, compiled into typed arrays. Titles and headings count as text too.
import { words } from '../language/words.ts'
import type { PassageRecord } from '../storage/documents.ts'

const K1 = 1.2
const B = 0.75

interface Postings {
  passages: Int32Array
  counts: Uint16Array
  idf: number
}

export interface WordHit {
  passage: PassageRecord
  score: number
  /** The share of the question's information that the passage holds, 0 to 1. */
  coverage: number
}

export interface WordIndex {
  size: number
  search(question: string, limit: number): WordHit[]
}

export function buildWordIndex(passages: PassageRecord[], questionLanguage: string): WordIndex {
  const lengths = new Float32Array(passages.length)
  const postings = compile(passages, lengths)
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, passages.length)
  const rarest = Math.log(1 + (passages.length + 0.5) / 0.5)

  return {
    size: passages.length,
    search(question, limit) {
      const terms = [...new Set(words(question, questionLanguage))]
      const scores = new Map<number, { score: number; covered: number }>()
      let wanted = 0
      for (const term of terms) {
        const found = postings.get(term)
        wanted += found?.idf ?? rarest
        if (!found) continue
        for (let index = 0; index < found.passages.length; index++) {
          const passage = found.passages[index] ?? 0
          const count = found.counts[index] ?? 0
          const norm = K1 * (1 - B + (B * (lengths[passage] ?? 0)) / averageLength)
          const entry = scores.get(passage) ?? { score: 0, covered: 0 }
          entry.score += (found.idf * count * (K1 + 1)) / (count + norm)
          entry.covered += found.idf
          scores.set(passage, entry)
        }
      }
      return [...scores]
        .sort((a, b) => b[1].score - a[1].score || a[0] - b[0])
        .slice(0, limit)
        .flatMap(([index, { score, covered }]) => {
          const passage = passages[index]
          return passage ? [{ passage, score, coverage: covered / wanted }] : []
        })
    },
  }
}

function compile(passages: PassageRecord[], lengths: Float32Array): Map<string, Postings> {
  const counted = new Map<string, { passages: number[]; counts: number[] }>()
  for (const [index, passage] of passages.entries()) {
    const all = words(`${passage.title} ${passage.headings.join(' ')} ${passage.text}`, passage.language)
    lengths[index] = all.length
    for (const term of all) {
      let entry = counted.get(term)
      if (!entry) {
        entry = { passages: [], counts: [] }
        counted.set(term, entry)
      }
      if (entry.passages.at(-1) === index) entry.counts[entry.counts.length - 1] = (entry.counts.at(-1) ?? 0) + 1
      else {
        entry.passages.push(index)
        entry.counts.push(1)
      }
    }
  }
  const postings = new Map<string, Postings>()
  for (const [term, entry] of counted) {
    const frequency = entry.passages.length
    postings.set(term, {
      passages: Int32Array.from(entry.passages),
      counts: Uint16Array.from(entry.counts),
      idf: Math.log(1 + (passages.length - frequency + 0.5) / (frequency + 0.5)),
    })
  }
  return postings
}
