// Logistic regression by Newton's method. A coefficient may be restricted to one sign, so that evidence for an answer
// never counts against it: one that would get the other sign is dropped.

export interface LabelledRow {
  values: number[]
  label: boolean
  weight: number
}

/** 1: only positive; -1: only negative; 0: either. */
export type Sign = 1 | -1 | 0

/** The bias, then one coefficient per value. */
export function fitLogistic(rows: LabelledRow[], signs: readonly Sign[], ridge: number): number[] {
  const keptColumns = new Set(signs.keys())
  for (;;) {
    const columns = [...keptColumns]
    const coefficients = fitFree(
      rows.map(({ values, ...row }) => ({ ...row, values: columns.map((column) => values[column]!) })),
      columns.length,
      ridge,
    )
    const wrong = columns
      .map((column, i) => ({ column, against: -coefficients[i + 1]! * signs[column]! }))
      .sort((a, b) => b.against - a.against)[0]
    if (wrong && wrong.against > 0) keptColumns.delete(wrong.column)
    else
      return [
        coefficients[0]!,
        ...signs
          .map((_, column) => coefficients[columns.indexOf(column) + 1] ?? 0)
          .map((value, column) => (keptColumns.has(column) ? value : 0)),
      ]
  }
}

export function predict(coefficients: readonly number[], values: readonly number[]): number {
  let sum = coefficients[0]!
  for (let i = 0; i < values.length; i++) sum += coefficients[i + 1]! * values[i]!
  return 1 / (1 + Math.exp(-sum))
}

const STEPS = 25

function fitFree(rows: LabelledRow[], width: number, ridge: number): number[] {
  let coefficients = new Array<number>(width + 1).fill(0)
  for (let step = 0; step < STEPS; step++) {
    const slope = coefficients.map((value, i) => (i === 0 ? 0 : ridge * value))
    const curve = coefficients.map((_, i) => coefficients.map((__, k) => (i === k ? (i === 0 ? 1e-9 : ridge) : 0)))
    for (const { values, label, weight } of rows) {
      const probability = predict(coefficients, values)
      const error = weight * (probability - (label ? 1 : 0))
      const spread = weight * probability * (1 - probability)
      for (let i = 0; i <= width; i++) {
        const value = i === 0 ? 1 : values[i - 1]!
        if (value === 0) continue
        slope[i]! += error * value
        const line = curve[i]!
        line[0]! += spread * value
        for (let k = 1; k <= width; k++) line[k]! += spread * value * values[k - 1]!
      }
    }
    const change = solve(curve, slope)
    coefficients = coefficients.map((value, i) => value - change[i]!)
    if (Math.max(...change.map(Math.abs)) < 1e-5) break
  }
  return coefficients
}

/** Gaussian elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (let i = 0; i < size; i++) {
    let pivot = i
    for (let r = i + 1; r < size; r++) if (Math.abs(rows[r]![i]!) > Math.abs(rows[pivot]![i]!)) pivot = r
    ;[rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!]
    for (let r = 0; r < size; r++) {
      if (r === i) continue
      const factor = rows[r]![i]! / rows[i]![i]!
      if (factor !== 0) for (let c = i; c <= size; c++) rows[r]![c]! -= factor * rows[i]![c]!
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!)
}
