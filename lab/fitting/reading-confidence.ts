// node lab/fitting/reading-confidence.ts <eval folder> [--cache folder] [--rows file]: fits the confidence of
// answers checked by the reader, cross-validates it by set, and writes reading-confidence-model.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { composeAnswer } from '../../server/src/answers/compose/compose-answer.ts'
import {
  collectReadingFeatures,
  READING_FEATURE_NAMES,
  type ReadingFeatures,
} from '../../server/src/answers/confidence/page-confidence.ts'
import type { Models } from '../../server/src/inference/types.ts'
import { askQuery } from '../evaluation/ask-query.ts'
import { readCompanySets } from '../evaluation/company-set.ts'
import { readDialogueSets } from '../evaluation/dialogue-set.ts'
import { createEvalBot } from '../evaluation/eval-bot.ts'
import { auroc, calibrationError } from '../evaluation/eval-metrics.ts'
import { startEvalModels } from '../evaluation/eval-models.ts'
import { type EvalQuery, type EvalSet, readEvalSet, readVisitorSets } from '../evaluation/eval-set.ts'
import { holdsAnswer } from '../evaluation/holds-answer.ts'
import { isHelpful } from '../evaluation/visitor-measures.ts'
import { fitLogistic, predict, type Sign } from './logistic.ts'

const target = new URL('../../server/src/answers/confidence/reading-confidence-model.json', import.meta.url)
// Weight of each set, whatever its size: highest for visitors' questions about help pages, answerable or not;
// lowest where every question has an answer, which teaches nothing about declining.
const pageSets: Record<string, number> = {
  visitors_zulip: 3,
  visitors_opencollective: 3,
  visitors_actualbudget: 3,
  visitors_actualbudget_de: 2,
  visitors_opencollective_fr: 2,
  visitors_cumbrelibre_es: 2,
  visitors_pontalto_it: 2,
  dialogues_larkfield: 3,
  dialogues_notewell: 3,
  companies: 3,
  squad2_8articles: 1,
}
const QUESTIONS_PER_SET = 100
const QUESTIONS_PER_COMPANY = 20
const RIDGE = 0.02
// A confident wrong answer does more harm than a hesitant right one, and visitors ask more unanswerable questions than
// these sets do, so err on the low side.
const CAUTION = 1.25
const signs: Record<keyof ReadingFeatures, Sign> = {
  relevance: 1,
  lead: 1,
  ahead: 1,
  best: 1,
  span: 1,
  coverage: 1,
  words: 1,
  vector: 1,
  follows: 0,
  byWords: 1,
  alone: 1,
  bestAlone: 1,
  unknown: -1,
  rareMissing: -1,
  namesMissing: -1,
}

interface Row {
  set: string
  features: ReadingFeatures
  right: boolean
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string' }, rows: { type: 'string' } },
})
const [folder = ''] = positionals
const rows = await collect()
const model = fit(rows)
const about = {
  fitted_by: 'node lab/fitting/reading-confidence.ts',
  date: new Date().toISOString().slice(0, 10),
  fitted_on: Object.keys(pageSets),
  checked_on: 'each set with a model of the others',
  questions: rows.length,
}
writeFileSync(target, `${JSON.stringify({ about, ...model }, null, 2)}\n`)

function fit(all: Row[]) {
  for (const set of Object.keys(pageSets)) {
    const rowsOfSet = all.filter((row) => row.set === set)
    const coefficients = fitted(all.filter((row) => row.set !== set))
    const judgedRows = rowsOfSet.map((row) => ({ confidence: predict(coefficients, valuesOf(row)), right: row.right }))
    const of = (isRight: boolean) =>
      judgedRows.filter(({ right }) => right === isRight).map(({ confidence }) => confidence)
    const sure = judgedRows.filter(({ confidence }) => confidence >= 0.5)
    console.log(
      `${set}: ${rowsOfSet.length} questions, AUROC ${auroc(of(true), of(false))?.toFixed(3)}, ECE ${calibrationError(judgedRows)?.toFixed(3)}, ` +
        `sure ${sure.length}, of them right ${(sure.filter(({ right }) => right).length / sure.length).toFixed(3)}`,
    )
  }
  const [bias = 0, ...weights] = fitted(all)
  const namedWeights = READING_FEATURE_NAMES.map(
    (name, i) => [name, Math.round((weights[i] ?? 0) * 1000) / 1000] as const,
  )
  return {
    bias: Math.round(bias * 1000) / 1000,
    weights: Object.fromEntries(namedWeights.filter(([, weight]) => weight !== 0)),
  }
}

function valuesOf({ features }: Row): number[] {
  return READING_FEATURE_NAMES.map((name) => features[name])
}

function fitted(some: Row[]): number[] {
  const sizes = new Map<string, number>()
  for (const { set } of some) sizes.set(set, (sizes.get(set) ?? 0) + 1)
  return fitLogistic(
    some.map((row) => ({
      values: valuesOf(row),
      label: row.right,
      weight: ((row.right ? 1 : CAUTION) * 100 * (pageSets[row.set] ?? 0)) / (sizes.get(row.set) ?? 1),
    })),
    READING_FEATURE_NAMES.map((name) => signs[name]),
    RIDGE,
  )
}

async function collect(): Promise<Row[]> {
  if (values.rows && existsSync(values.rows)) return JSON.parse(readFileSync(values.rows, 'utf8')) as Row[]
  const models = await startEvalModels(values.cache)
  const collectedRows: Row[] = []
  const ownSets = [...readDialogueSets(), ...readCompanySets(), ...readVisitorSets()]
  const otherNames = Object.keys(pageSets).filter((name) => !ownSets.some((set) => nameOf(set) === name))
  for (const set of [...otherNames.map((name) => readEvalSet(join(folder, name))), ...ownSets]) {
    collectedRows.push(...(await rowsOf(set, models)))
    console.log(`${set.name}: ${collectedRows.length} rows so far`)
  }
  await models.close()
  if (values.rows) writeFileSync(values.rows, JSON.stringify(collectedRows))
  return collectedRows
}

/** The companies form one set. */
function nameOf({ name }: EvalSet): string {
  return name.startsWith('companies_') ? 'companies' : name
}

async function rowsOf(set: EvalSet, models: Models): Promise<Row[]> {
  const bot = await createEvalBot(set.name, set.corpus, models)
  try {
    const knowledge = await bot.knowledge()
    const some: Row[] = []
    const step = Math.max(
      1,
      set.queries.length / (nameOf(set) === 'companies' ? QUESTIONS_PER_COMPANY : QUESTIONS_PER_SET),
    )
    for (let at = 0; at < set.queries.length; at += step) {
      const query = set.queries[Math.floor(at)] as EvalQuery
      const grades = set.qrels.get(query._id) ?? new Map<string, number>()
      const { found, answer } = await askQuery(query, undefined, bot.voice, knowledge)
      const features = found && collectReadingFeatures(found.question, found.hits)
      if (!found || !features || answer.asksNothing) continue
      const { text } = composeAnswer(found.question, found.hits, bot.voice.siteUrl)
      const isFirst = (grades.get(found.ranking[0]?.documentId ?? '') ?? 0) > 0
      const holds = query.answers?.length ? holdsAnswer(text, query.answers) : isFirst
      const helps = isHelpful({ query, reply: text, answered: true, confidence: 1 })
      const right = query.answerable !== false && (helps ?? holds)
      some.push({ set: nameOf(set), features, right })
    }
    return some
  } finally {
    await bot.close()
  }
}
