// node lab/training/prepare-visitors.ts <vocabulary> <output folder> <evaluation set>…: retrieved passages for the
// questions of evaluation sets, as token ids, to measure a reader during training. Vectors are kept in $CACHE.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHits } from '../../server/src/answers/find-hits.ts'
import { passageTokens, questionTokens } from '../../server/src/inference/reader-input.ts'
import { makeTokenizer } from '../../server/src/inference/wordpiece.ts'
import { createEvalBot, languageOf } from '../evaluation/eval-bot.ts'
import { startEvalModels, withoutReader } from '../evaluation/eval-models.ts'
import { readEvalSet, readVisitorSets } from '../evaluation/eval-set.ts'
import { holdsAnswer } from '../evaluation/holds-answer.ts'
import { readVocabulary, writeTokens } from './tokens.ts'

const [vocabulary = '', outDir = '', ...folders] = process.argv.slice(2)
const tokenize = makeTokenizer(readVocabulary(vocabulary))
const models = withoutReader(await startEvalModels(process.env.CACHE))
for (const set of [...folders.map(readEvalSet), ...readVisitorSets()]) {
  const bot = await createEvalBot(set.name, set.corpus, models)
  const knowledge = await bot.knowledge()
  const questions: number[][] = []
  const passages: number[][] = []
  const rows = []
  for (const { text, after, answerable, answer_contains = [], kind } of set.queries) {
    if (kind === 'smalltalk') continue
    const history = after ? [{ role: 'user' as const, text: after }] : []
    const { hits } = await findHits(text, languageOf(set.name), history, knowledge)
    questions.push(questionTokens({ text, earlier: after ? [after] : [] }, tokenize))
    rows.push({
      answerable: answerable !== false,
      passages: hits.map(({ passage }) => passages.push(passageTokens(passage, tokenize).ids) - 1),
      scores: hits.map(({ score }) => score),
      holds: hits.map(({ passage }) => answerable !== false && holdsAnswer(passage.text, answer_contains)),
    })
  }
  const target = join(outDir, set.name)
  mkdirSync(target, { recursive: true })
  writeTokens(target, 'questions', questions)
  writeTokens(target, 'passages', passages)
  writeFileSync(join(target, 'rows.json'), JSON.stringify(rows))
  console.log(`${set.name}: ${rows.length} questions`)
  await bot.close()
}
await models.close()
