// Keeps evaluation data out of training, so that evaluation figures are meaningful.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCompanySets } from '../evaluation/company-set.ts'
import { readDemoSet } from '../evaluation/demo-set.ts'
import { readDialogueSets } from '../evaluation/dialogue-set.ts'

const SHINGLE_WORDS = 8
// A passage that shares this fraction of its n-grams with a set comes from the same page.
const SHARED = 0.2

/** Takes the folder of evaluation sets; without one, only this repository's own sets are excluded. */
export function makeEvaluationFilter(folder: string): (question: string, text: string) => boolean {
  const questions = new Set<string>()
  const runs = new Set<string>()
  for (const { queries, corpus } of [readDemoSet(), ...readDialogueSets(), ...readCompanySets()]) {
    for (const { text } of queries) questions.add(plain(text).join(' '))
    for (const { markdown = '' } of corpus) for (const run of runsOf(markdown)) runs.add(run)
  }
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const { text } of readRows(join(folder, name, 'queries.jsonl'))) questions.add(plain(text ?? '').join(' '))
    for (const { text = '', markdown = '' } of readRows(join(folder, name, 'corpus.jsonl'))) {
      for (const run of runsOf(`${text} ${markdown}`)) runs.add(run)
    }
  }
  return (question, text) => {
    if (questions.has(plain(question).join(' '))) return true
    const ownRuns = runsOf(text)
    return ownRuns.length > 0 && ownRuns.filter((run) => runs.has(run)).length / ownRuns.length > SHARED
  }
}

function readRows(path: string): Record<string, string>[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Record<string, string>)
}

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function runsOf(text: string): string[] {
  const words = plain(text)
  return words.slice(0, 1 - SHINGLE_WORDS).map((_, at) => words.slice(at, at + SHINGLE_WORDS).join(' '))
}
