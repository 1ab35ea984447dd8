// A model of two factors, each a probability, and a level that calibrates their product.
import type { TrainingRow } from './collect-rows.ts'
import type { Signs } from './confidence-plan.ts'
import { fitLogistic, type LabelledRow, predict, type Sign } from './logistic.ts'

export interface FittedConfidence {
  found: number[]
  holds: number[]
  level: number[]
}

const RIDGE = 1
// Large sets weigh more than small ones, but less than in proportion.
const SIZE_POWER = 0.75
// The only English set that labels whether the sentences answer, and the only one with near-miss questions.
const setWeights: Record<string, number> = { squad2_8articles: 3 }

export function fitConfidence(rows: TrainingRow[], signs: { found: Signs; holds: Signs }): FittedConfidence {
  const sizes = new Map<string, number>()
  for (const { set } of rows) sizes.set(set, (sizes.get(set) ?? 0) + 1)
  const weightOf = ({ set }: TrainingRow) => (sizes.get(set) ?? 1) ** (SIZE_POWER - 1) * 4 * (setWeights[set] ?? 1)
  const labelRows = (someRows: TrainingRow[], names: Signs, label: (row: TrainingRow) => boolean): LabelledRow[] =>
    someRows.map((row) => ({ values: pick(row, names), label: label(row), weight: weightOf(row) }))

  // "Found" is learnt from findable and absent answers; a near-miss question has found its passage.
  // "Holds" is learnt where the right passage came first.
  const findable = rows.filter(({ answerable, outside }) => answerable || outside)
  const readable = rows.filter(({ found, answerable, outside }) => !outside && (found || !answerable))
  const factors = {
    found: fitLogistic(
      labelRows(findable, signs.found, ({ found }) => found),
      values(signs.found),
      RIDGE,
    ),
    holds: fitLogistic(
      labelRows(readable, signs.holds, ({ right }) => right),
      values(signs.holds),
      RIDGE,
    ),
  }
  const products = rows.map((row) => ({
    values: [logit(product(row, factors, signs))],
    label: row.right,
    weight: weightOf(row),
  }))
  return { ...factors, level: fitLogistic(products, [1], 0.1) }
}

export function confidenceOfRow(
  row: TrainingRow,
  model: FittedConfidence,
  signs: { found: Signs; holds: Signs },
): number {
  return predict(model.level, [logit(product(row, model, signs))])
}

function product(
  row: TrainingRow,
  { found, holds }: Pick<FittedConfidence, 'found' | 'holds'>,
  signs: { found: Signs; holds: Signs },
): number {
  const probability = (coefficients: number[], names: Signs) =>
    Math.min(0.99, Math.max(0.01, predict(coefficients, pick(row, names))))
  return probability(found, signs.found) * probability(holds, signs.holds)
}

const values = (signs: Signs) => Object.values(signs) as Sign[]

function pick({ features }: TrainingRow, signs: Signs): number[] {
  const all: Record<string, number> = { ...features }
  return Object.keys(signs).map((name) => all[name] ?? 0)
}

function logit(probability: number): number {
  return Math.log(probability / (1 - probability))
}
