// node lab/fitting/curated-confidence.ts <eval folder> [--cache folder]: fits the confidence that a curated
// answer is meant, validates it on held-out sets, and writes curated-confidence-model.json.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { curatedFeatures } from '../../server/src/answers/confidence/curated-confidence.ts'
import { absentModels, type Models } from '../../server/src/inference/types.ts'
import { askQuery } from '../evaluation/ask-query.ts'
import { createEvalBot } from '../evaluation/eval-bot.ts'
import { auroc, calibrationError, mean } from '../evaluation/eval-metrics.ts'
import { startEvalModels } from '../evaluation/eval-models.ts'
import { readEvalSet } from '../evaluation/eval-set.ts'
import { type CuratedScenario, curatedScenarios } from './curated-scenarios.ts'
import { fitLogistic, predict } from './logistic.ts'

const target = new URL('../../server/src/answers/confidence/curated-confidence-model.json', import.meta.url)
const SETS = ['hint3_sofmattress_v1', 'hint3_powerplay11_v1', 'banking77', 'clinc150_val']
const RIDGE = 1

interface CuratedRow {
  set: string
  scenario: string
  counts: number
  features: Record<string, number>
  answerable: boolean
  right: boolean
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cache: { type: 'string' } } })
const [folder] = positionals
if (!folder) throw new Error('Name the folder that holds the evaluation sets.')

const evalModels = await startEvalModels(values.cache)
const scenarios = SETS.flatMap((name) => curatedScenarios(readEvalSet(join(folder, name))))
const models: Record<string, unknown> = {}
for (const [kind, evalModelsOfKind] of [
  ['vectors', evalModels],
  ['words', absentModels('not wanted')],
] as const) {
  const rows: CuratedRow[] = []
  for (const scenario of scenarios) rows.push(...(await collect(scenario, evalModelsOfKind)))
  const names = Object.keys(rows[0]?.features ?? {}).filter((name) => kind === 'vectors' || !/vector/i.test(name))
  console.log(`\n${kind}`)
  report(rows, names)
  models[kind] = readable(fit(rows, names), names)
}
await evalModels.close()
const about = {
  fitted_by: 'node lab/fitting/curated-confidence.ts',
  date: new Date().toISOString().slice(0, 10),
  fitted_on: SETS,
  checked_on: 'each set with a model of the others',
}
writeFileSync(target, `${JSON.stringify({ about, ...models }, null, 2)}\n`)

async function collect(
  { name, set, counts, corpus, asked }: CuratedScenario,
  withModel: Models,
): Promise<CuratedRow[]> {
  const bot = await createEvalBot(set, corpus, withModel)
  try {
    const knowledge = await bot.knowledge()
    const rows: CuratedRow[] = []
    for (const { right, ...query } of asked) {
      const { found } = await askQuery(query, undefined, bot.voice, knowledge)
      const [first, second] = found?.curated ?? []
      if (!first) continue
      rows.push({
        set,
        scenario: name,
        counts,
        features: curatedFeatures(first, second?.score ?? 0),
        answerable: right !== undefined,
        right: first.id === right,
      })
    }
    return rows
  } finally {
    await bot.close()
  }
}

/** All sets weigh the same: real customer questions matter as much as commissioned ones. */
function fit(rows: CuratedRow[], names: string[]): number[] {
  const sizes = new Map<string, number>()
  for (const { set, counts } of rows) sizes.set(set, (sizes.get(set) ?? 0) + counts)
  return fitLogistic(
    rows.map((row) => ({
      values: pick(row, names),
      label: row.right,
      weight: (1000 * row.counts) / (sizes.get(row.set) ?? 1),
    })),
    names.map(() => 1 as const),
    RIDGE,
  )
}

function pick({ features }: CuratedRow, names: string[]): number[] {
  return names.map((name) => features[name] ?? 0)
}

function report(rows: CuratedRow[], names: string[]) {
  const whole = fit(rows, names)
  for (const [scenario, some] of Map.groupBy(rows, (row) => row.scenario)) {
    const without = fit(
      rows.filter(({ set }) => set !== some[0]?.set),
      names,
    )
    console.log(`  ${scenario} (${some.length}, right ${mean(some.map(({ right }) => Number(right)))?.toFixed(2)})`)
    console.log(`    in-sample:    ${line(some, whole, names)}`)
    console.log(`    set left out: ${line(some, without, names)}`)
  }
}

function line(rows: CuratedRow[], coefficients: number[], names: string[]): string {
  const rowsWithConfidence = rows.map((row) => ({ ...row, confidence: predict(coefficients, pick(row, names)) }))
  const area = (test: (row: CuratedRow) => boolean) => {
    const [yes, no] = [true, false].map((isTrue) => rowsWithConfidence.filter((row) => test(row) === isTrue))
    return auroc(yes?.map(({ confidence }) => confidence) ?? [], no?.map(({ confidence }) => confidence) ?? [])
  }
  return [
    `mean ${mean(rowsWithConfidence.map(({ confidence }) => confidence))?.toFixed(2)}`,
    `ECE ${(100 * (calibrationError(rowsWithConfidence) ?? 0)).toFixed(1)}`,
    `AUROC right ${area(({ right }) => right)?.toFixed(3) ?? '-'}`,
    `answerable ${area(({ answerable }) => answerable)?.toFixed(3) ?? '-'}`,
  ].join(' ')
}

function readable([bias = 0, ...weights]: number[], names: string[]) {
  const round = (value: number) => Math.round(value * 1000) / 1000
  const namedWeights = names.map((name, i) => [name, round(weights[i] ?? 0)] as const)
  return { bias: round(bias), weights: Object.fromEntries(namedWeights.filter(([, weight]) => weight !== 0)) }
}
