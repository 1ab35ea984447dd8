// Reads an evaluation set: corpus.jsonl, queries.jsonl and qrels.tsv, as BEIR lays them out.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Turn } from '../../../server/src/answers/types.ts'

export interface EvalEntry {
  _id: string
  title: string
  text: string
  /** In place of the text, with its headings. */
  markdown?: string
  /** Where it is not that of the set. */
  language?: string
  /** Phrasings: such entries are curated answers, not documents. */
  examples?: string[]
}

export interface EvalQuery {
  _id: string
  text: string
  history?: Turn[]
  /** A question that the bot answers first: this one follows it. */
  after?: string | null
  /** The same for several, oldest first. */
  earlier?: string[]
  answerable?: boolean
  answers?: string[]
  /** Any of these in the reply shows that the visitor was helped; any of the others, that a wrong case was told. */
  answer_contains?: string[]
  answer_lacks?: string[]
  kind?: string
  knowledge_seeking?: boolean
}

export interface EvalSet {
  name: string
  corpus: EvalEntry[]
  queries: EvalQuery[]
  /** Query → document → grade; 0 marks a candidate that is listed but wrong. */
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

/** Where wrong candidates are named too, only those named for a question are searched: the facts of one product. */
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
