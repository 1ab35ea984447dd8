// Reads an evaluation set: corpus.jsonl, queries.jsonl and qrels.tsv, as BEIR lays them out.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface EvalEntry {
  _id: string
  title: string
  text: string
  /** Phrasings: such entries are curated answers, not documents. */
  examples?: string[]
}

export interface EvalQuery {
  _id: string
  text: string
  history?: { role: 'user' | 'assistant'; text: string }[]
  answerable?: boolean
  answers?: string[]
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

export function isEvalSet(folder: string): boolean {
  return ['corpus.jsonl', 'queries.jsonl', 'qrels.tsv'].every((name) => existsSync(join(folder, name)))
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
}
