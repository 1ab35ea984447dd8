// Lexical retrieval over 1,000 to 100,000 passages, next to MiniSearch on the same data; building, memory and cold
// load. `node lab/performance/retrieval.ts`. Passages recombine the demo shop's sentences, with
// some made-up words so that the vocabulary grows with the number of passages.
import MiniSearch from 'minisearch'
import { readDemoPages } from '../../server/src/demo/shop.ts'
import { analyseQuestion } from '../../server/src/language/analyse.ts'
import { sentences } from '../../server/src/language/sentences.ts'
import type { IndexedPassage } from '../../server/src/search/index/passage.ts'
import { buildIndex, indexSize, type PassageIndex } from '../../server/src/search/index/passage-index.ts'
import { loadSnapshot, saveSnapshot } from '../../server/src/search/index/snapshot.ts'
import { search } from '../../server/src/search/query/search.ts'
import { questions } from './load/demo-content.ts'

const SIZES = [1000, 5000, 100_000]
const RUNS = 5
// MiniSearch is slow with 100,000; fewer questions are enough.
const REFERENCE_QUESTIONS = 30

let seed = 7
const random = () => {
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}
const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T

const pages = readDemoPages().filter(({ language }) => language === 'en')
const pool = pages.flatMap(({ markdown }) =>
  sentences(markdown, 'en').map(({ start, end }) => markdown.slice(start, end)),
)

const medians: number[] = []
for (const size of SIZES) {
  const passages = Array.from({ length: size }, (_, number) => makePassage(number))
  const building = performance.now()
  const builtIndex = buildIndex(passages)
  const buildSeconds = (performance.now() - building) / 1000
  const snapshot = saveSnapshot(builtIndex)
  const loading = performance.now()
  const index = loadSnapshot(snapshot) as PassageIndex
  const loadMs = performance.now() - loading
  const ours = time(questions(), (question) => search(index, analyseQuestion(question, 'en')))
  medians.push(ours.p50)
  console.log(
    `${size} passages: p50 ${ours.p50.toFixed(2)} ms, p99 ${ours.p99.toFixed(2)} ms; built ${(size / buildSeconds).toFixed(0)} a second, ` +
      `${(indexSize(index).bytes / size).toFixed(0)} bytes a passage, loaded in ${loadMs.toFixed(1)} ms`,
  )
  const reference = new MiniSearch({ fields: ['title', 'text'] })
  reference.addAll(passages.map(({ id, title, text }) => ({ id, title, text })))
  const theirs = time(questions().slice(0, REFERENCE_QUESTIONS), (question) => reference.search(question))
  console.log(
    `  MiniSearch: p50 ${theirs.p50.toFixed(2)} ms, p99 ${theirs.p99.toFixed(2)} ms; ratio of medians ${(theirs.p50 / ours.p50).toFixed(0)}`,
  )
}
const growth = (medians.at(-1) ?? 0) / (medians[0] ?? 1)
console.log(`from ${SIZES[0]} to ${SIZES.at(-1)} passages the median grows ${growth.toFixed(1)}-fold`)

function makePassage(number: number): IndexedPassage {
  const parts = Array.from({ length: 3 + Math.floor(random() * 6) }, () => pick(pool))
  const rare = `model ${Math.floor(random() * 50_000).toString(36)}x`
  return {
    id: `p${number}`,
    title: pick(pages).title,
    headings: [],
    text: `${parts.join(' ')} ${rare}.`,
    language: 'en',
  }
}

function time(questionTexts: string[], run: (question: string) => unknown): { p50: number; p99: number } {
  for (const question of questionTexts) run(question)
  const times: number[] = []
  for (let round = 0; round < RUNS; round++) {
    for (const question of questionTexts) {
      const startedAt = performance.now()
      run(question)
      times.push(performance.now() - startedAt)
    }
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  return { p50: at(0.5), p99: at(0.99) }
}
