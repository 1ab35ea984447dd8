// node lab/fitting/confidence.ts <eval folder> [--cache folder] [--rows file]: fits the confidence of answers,
// validates it on held-out articles and sets, and writes confidence-model.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { absentModels } from '../../server/src/inference/types.ts'
import { readDemoSet } from '../evaluation/demo-set.ts'
import { auroc, calibrationError, mean } from '../evaluation/eval-metrics.ts'
import { startEvalModels, withoutReader } from '../evaluation/eval-models.ts'
import { type EvalSet, readEvalSet } from '../evaluation/eval-set.ts'
import { collectRows, type TrainingRow } from './collect-rows.ts'
import { CHECKED, fitted, signsFor } from './confidence-plan.ts'
import { confidenceOfRow, type FittedConfidence, fitConfidence } from './fit-confidence.ts'
import { seededRandom } from './random.ts'
import { offTopicQuestions, scenariosOf } from './scenarios.ts'

const target = new URL('../../server/src/answers/confidence/confidence-model.json', import.meta.url)
const KINDS = ['vectors', 'words', 'englishWords'] as const
const THIRDS = 3

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string' }, rows: { type: 'string' } },
})
const [folder] = positionals
if (!folder) throw new Error('Name the folder that holds the evaluation sets.')

const rows = values.rows && existsSync(values.rows) ? readRows(values.rows) : await collectAll(folder)
if (values.rows && !existsSync(values.rows))
  writeFileSync(values.rows, rows.map((row) => JSON.stringify(row)).join('\n'))

const models: Record<string, Record<string, unknown>> = { pages: {}, product: {} }
for (const kind of KINDS) {
  const signs = signsFor(kind)
  const pages = rows.filter((row) => row.kind === kind && !row.product && !CHECKED.includes(row.set))
  const unseen = rows.filter((row) => row.kind === kind && CHECKED.includes(row.set))
  console.log(`\n${kind}`)
  report(pages, unseen, signs)
  models.pages = { ...models.pages, [kind]: readable(fitConfidence(pages, signs), signs) }
  const rowKind = kind === 'words' ? 'englishWords' : kind
  const facts = rows.filter((row) => row.kind === rowKind && row.product)
  console.log(`${kind}, facts of one product`)
  report(facts, [], signs)
  models.product = { ...models.product, [kind]: readable(fitConfidence(facts, signs), signs) }
}
const about = {
  fitted_by: 'node lab/fitting/confidence.ts',
  date: new Date().toISOString().slice(0, 10),
  fitted_on: [...fitted.english, ...fitted.others, ...fitted.products],
  checked_on: CHECKED,
  questions: rows.filter(({ set }) => !CHECKED.includes(set)).length,
}
writeFileSync(target, `${JSON.stringify({ about, ...models }, null, 2)}\n`)

async function collectAll(from: string): Promise<TrainingRow[]> {
  const models = withoutReader(await startEvalModels(values.cache))
  const read = (name: string) => (name === 'demo' ? readDemoSet() : readEvalSet(join(from, name)))
  const english = fitted.english.map(read)
  const others = fitted.others.map(read)
  const collectedRows: TrainingRow[] = []
  const collect = async (set: EvalSet, strangers: EvalSet[], withModel: boolean) => {
    const scenarios = scenariosOf(set, offTopicQuestions(set, strangers)).slice(
      0,
      CHECKED.includes(set.name) ? 1 : undefined,
    )
    for (const scenario of scenarios) {
      collectedRows.push(...(await collectRows(scenario, withModel ? models : absentModels('not wanted'))))
    }
    console.log(`${set.name}${withModel ? '' : ' by words'}: ${collectedRows.length} rows so far`)
  }
  for (const set of [...english, ...CHECKED.map(read)]) {
    await collect(set, [...english, ...others], true)
    await collect(set, [...english, ...others], false)
  }
  for (const set of others) await collect(set, [...others, ...english], false)
  for (const set of fitted.products.map(read)) {
    await collect(set, [], true)
    await collect(set, [], false)
  }
  await models.close()
  return collectedRows
}

function readRows(file: string): TrainingRow[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as TrainingRow)
}

type PlanSigns = ReturnType<typeof signsFor>

/** In-sample, on held-out articles, and on held-out sets. */
function report(learnt: TrainingRow[], unseen: TrainingRow[], signs: PlanSigns) {
  const whole = fitConfidence(learnt, signs)
  const third = ({ group }: TrainingRow) => Math.floor(seededRandom(group)() * THIRDS)
  const byThird = Array.from({ length: THIRDS }, (_, n) =>
    fitConfidence(
      learnt.filter((row) => third(row) !== n),
      signs,
    ),
  )
  const line = (some: TrainingRow[], model: (row: TrainingRow) => FittedConfidence) => {
    const confidences = some.map((row) => confidenceOfRow(row, model(row), signs))
    const error = calibrationError(some.map(({ right }, i) => ({ right, confidence: confidences[i] ?? 0 }))) ?? 0
    const where = (test: (row: TrainingRow) => boolean) => confidences.filter((_, i) => some[i] && test(some[i]))
    const rightArea = auroc(
      where(({ right }) => right),
      where(({ right }) => !right),
    )
    const area = auroc(
      where(({ answerable }) => answerable),
      where(({ answerable }) => !answerable),
    )
    const outside = where((row) => row.outside)
    return [
      `mean ${mean(confidences)?.toFixed(2)} ECE ${(100 * error).toFixed(1)}`,
      `AUROC right ${rightArea?.toFixed(3) ?? '-'} answerable ${area?.toFixed(3) ?? '-'}`,
      outside.length > 0
        ? `outside above .5: ${(outside.filter((one) => one >= 0.5).length / outside.length).toFixed(2)}`
        : '',
    ].join(' ')
  }
  for (const [set, all] of Map.groupBy([...learnt, ...unseen], (row) => row.set)) {
    for (const [part, some] of Map.groupBy(all, ({ scenario }) => (scenario.endsWith('whole') ? 'whole' : 'small'))) {
      const share = mean(some.map(({ right }) => Number(right)))?.toFixed(2)
      console.log(`  ${set} ${part} (${some.length}, right ${share})`)
      if (unseen.some((row) => row.set === set)) console.log(`    never fitted: ${line(some, () => whole)}`)
      else {
        const without = fitConfidence(
          learnt.filter((row) => row.set !== set),
          signs,
        )
        console.log(`    in-sample:  ${line(some, () => whole)}`)
        console.log(`    by article: ${line(some, (row) => byThird[third(row)] ?? whole)}`)
        console.log(`    set left out: ${line(some, () => without)}`)
      }
    }
  }
}

function readable({ found, holds, level }: FittedConfidence, signs: PlanSigns) {
  const round = (value: number) => Math.round(value * 1000) / 1000
  const namedWeights = ([bias = 0, ...weights]: number[], names: string[]) => ({
    bias: round(bias),
    // Features dropped for their sign are not written.
    weights: Object.fromEntries(
      names.map((name, i) => [name, round(weights[i] ?? 0)]).filter(([, weight]) => weight !== 0),
    ),
  })
  return {
    found: namedWeights(found, Object.keys(signs.found)),
    holds: namedWeights(holds, Object.keys(signs.holds)),
    level: namedWeights(level, ['product']),
  }
}
