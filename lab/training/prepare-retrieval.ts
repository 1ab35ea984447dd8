// node lab/training/prepare-retrieval.ts <vocabulary> <output folder> <evaluation set>…: questions and passages of evaluation
// sets as token ids, to measure a sentence model during training.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeTokenizer } from '../../server/src/inference/wordpiece.ts'
import { readJsonLines, readLines, readVocabulary, writeTokens } from './tokens.ts'

const [vocabulary = '', outDir = '', ...folders] = process.argv.slice(2)
const tokenize = makeTokenizer(readVocabulary(vocabulary))
const idsOf = (text: string) => tokenize(text, 224).ids
for (const folder of folders) {
  const corpus = readJsonLines<{ _id: string; text: string }>(folder, 'corpus.jsonl')
  const numbers = new Map(corpus.map(({ _id }, number) => [_id, number]))
  const answers = new Map(readLines(folder, 'qrels.tsv').map((line) => line.split('\t') as [string, string]))
  const queries = readJsonLines<{ _id: string; text: string }>(folder, 'queries.jsonl')
  const answeredQueries = queries.filter(({ _id }) => numbers.has(answers.get(_id) ?? ''))
  const target = join(outDir, basename(folder))
  mkdirSync(target, { recursive: true })
  writeTokens(
    target,
    'questions',
    answeredQueries.map(({ text }) => idsOf(text)),
  )
  writeTokens(
    target,
    'passages',
    corpus.map(({ text }) => idsOf(text)),
  )
  writeFileSync(
    join(target, 'right.json'),
    JSON.stringify(answeredQueries.map(({ _id }) => numbers.get(answers.get(_id) ?? ''))),
  )
  console.log(`${basename(folder)}: ${answeredQueries.length} questions, ${corpus.length} passages`)
}
