// node lab/performance/reading.ts [questions]: how long the reader takes over a question's candidates, and how many
// questions and texts per second the models manage, on the dialogues' passages. Baseline: embedding the question alone.

import type { ReaderPassage } from '../../server/src/inference/reader-input.ts'
import { startModels } from '../../server/src/inference/start-models.ts'
import { passageModelText } from '../../server/src/search/vectors/embedding.ts'
import { parseMarkdown } from '../../server/src/sources/documents/parse-markdown.ts'
import { splitPassages } from '../../server/src/sources/documents/split-document.ts'
import { readDialogueSets } from '../evaluation/dialogue-set.ts'

const questions = Number(process.argv[2] ?? 100)
const { embedder, reader, close } = await openModels()
const [set] = readDialogueSets()
if (!set) throw new Error('lab/evaluation/sets/dialogues is empty')
const passages: ReaderPassage[] = set.corpus.flatMap(({ title, markdown = '' }) =>
  splitPassages(parseMarkdown(markdown), title, 'en').map((passage) => ({ title, ...passage })),
)
const questionTexts = set.queries.slice(0, questions).map(({ text }, number) => `${text} ${number}`)
const words = passages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0) / passages.length
console.log(
  `${passages.length} passages of ${words.toFixed(0)} words, ${questionTexts.length} questions, one after another`,
)

await timed('reference: embedding the question', async (text) => {
  await embedder.embed([text])
})
for (const count of [4, 6, 12]) {
  await timed(`reading ${count} passages`, async (text, number) => {
    const from = (number * count) % (passages.length - count)
    await reader.read({ text: `${text} (${count})`, earlier: [] }, passages.slice(from, from + count))
  })
}
const startedAt = performance.now()
await embedder.embed(
  passages.map(({ title, headings, text }) => passageModelText(title, [...headings], text)),
  { urgent: false },
)
console.log(`embedding passages: ${((passages.length * 1000) / (performance.now() - startedAt)).toFixed(0)} a second`)
await close()

async function openModels() {
  const models = await startModels()
  if (models.reader.state.kind === 'absent') throw new Error(models.reader.state.reason)
  return { embedder: models.embedder, reader: models.reader, close: () => models.close() }
}

async function timed(name: string, work: (text: string, number: number) => Promise<void>) {
  const times: number[] = []
  for (const [number, text] of questionTexts.entries()) {
    const from = performance.now()
    await work(text, number)
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
  const rate = (times.length * 1000) / times.reduce((sum, ms) => sum + ms, 0)
  console.log(`${name}: median ${at(0.5)} ms, p99 ${at(0.99)} ms, ${rate.toFixed(1)} questions a second`)
}
