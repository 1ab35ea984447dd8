// Reads an evaluation set in BEIR's layout: corpus.jsonl, queries.jsonl and qrels.tsv.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Turn } from '../../server/src/answers/types.ts'

export interface EvalEntry {
  _id: string
  title: string
  text: string
  /** Used instead of the text, with headings. */
  markdown?: string
  /** Where it differs from the set's. */
  language?: string
  /** Phrasings: these entries are curated answers, not documents. */
  examples?: string[]
}

export interface EvalQuery {
  _id: string
  text: string
  history?: Turn[]
  /** A question asked first, which this one follows. */
  after?: string | null
  /** Several such questions, oldest first. */
  earlier?: string[]
  answerable?: boolean
  answers?: string[]
  /** Any of these in the reply means the visitor was helped; any of `answer_lacks`, that the reply was wrong. */
  answer_contains?: string[]
  answer_lacks?: string[]
  /** Whether the right reply says yes or no. */
  polarity?: 'yes' | 'no'
  kind?: string
}

export interface EvalSet {
  name: string
  corpus: EvalEntry[]
  /** A shop's catalogue, as a product sync takes it. */
  products?: object[]
  queries: EvalQuery[]
  /** Query → document → grade; 0 marks a wrong candidate. */
  qrels: Map<string, Map<string, number>>
}

export function readEvalSet(folder: string): EvalSet {
  const qrels: EvalSet['qrels'] = new Map()
  for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').split('\n').slice(1)) {
    const [query, document, grade] = line.split('\t')
    if (!query || !document) continue
    const grades = qrels.get(query) ?? new Map<string, number>()
    qrels.set(query, grades.set(document, Number(grade)))
  }
  return {
    name: basename(folder),
    corpus: readLines<EvalEntry>(join(folder, 'corpus.jsonl')),
    queries: readLines<EvalQuery>(join(folder, 'queries.jsonl')),
    qrels,
  }
}

/** Questions about invented companies in other languages, in lab/evaluation/sets/visitors. */
export function readVisitorSets(): EvalSet[] {
  const folder = fileURLToPath(new URL('./sets/visitors', import.meta.url))
  return readdirSync(folder).map((name) => readEvalSet(join(folder, name)))
}

/** If wrong candidates are named, only a question's own candidates are searched: the facts of one product. */
export function isListed({ qrels }: EvalSet): boolean {
  return [...qrels.values()].some((grades) => [...grades.values()].includes(0))
}

export function isEvalSet(folder: string): boolean {
  return ['corpus.jsonl', 'queries.jsonl', 'qrels.tsv'].every((name) => existsSync(join(folder, name)))
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
}
