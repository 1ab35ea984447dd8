// Caches readings beside the vectors: the reader takes most of an evaluation's time.
import { hash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EARLIER_TURNS, type ReaderPassage, type ReaderQuestion } from '../../server/src/inference/reader-input.ts'
import type { Reader, Reading } from '../../server/src/inference/types.ts'

export function cacheReadings(reader: Reader, parent: string): Reader {
  if (reader.state.kind === 'absent') return reader
  const folder = join(parent, reader.state.model)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'readings.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const readings = new Map(lines.map((line) => JSON.parse(line) as [string, Reading]))

  return {
    get state() {
      return reader.state
    },
    async read(question, passages) {
      const keys = passages.map((passage) => keyOf(question, passage))
      const missing = passages.filter((_, i) => !readings.has(keys[i] ?? ''))
      const newReadings = missing.length > 0 ? await reader.read(question, missing) : []
      if (!newReadings) return undefined
      for (const [i, passage] of missing.entries()) {
        const entry: [string, Reading] = [keyOf(question, passage), newReadings[i] as Reading]
        readings.set(...entry)
        appendFileSync(file, `${JSON.stringify(entry)}\n`)
      }
      return keys.map((key) => readings.get(key) as Reading)
    },
  }
}

function keyOf({ text, earlier }: ReaderQuestion, { title, headings, text: body }: ReaderPassage): string {
  return hash('sha1', JSON.stringify([text, earlier.slice(-EARLIER_TURNS), title, headings, body]), 'base64')
}
