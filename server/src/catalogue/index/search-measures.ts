// Criteria on measures: "at least 500 lumens", "under 2 kg".

import { aspects } from '../../language/measures.ts'
import type { MeasureRange } from '../answers/types.ts'
import type { ProductIndex } from './product-index.ts'
import { measureCode } from './product-terms.ts'
import type { Marks } from './search-marks.ts'

export function markMeasured({ measures }: ProductIndex, marks: Marks, criterion: MeasureRange, bit: number) {
  for (let at = 0; at < marks.count; at++) {
    const slot = marks.touched[at]!
    const value = measureOf(measures[slot] ?? [], criterion)
    if (!(value >= (criterion.min ?? -Infinity) && value <= (criterion.max ?? Infinity))) continue
    marks.met[slot]! |= bit
    marks.strong[slot]! |= bit
    // Of two that are large enough, prefer the smaller.
    marks.scores[slot]! += criterion.min ? criterion.min / value : 1
  }
}

/** The measure that decides: the longest of several lengths, otherwise the best match; NaN without one. */
export function measureOf(measures: readonly number[], { dimension, aspect, min }: MeasureRange): number {
  const valuesOf = (fits: (code: number) => boolean) =>
    measures.filter((_, at) => at % 2 === 1 && fits(measures[at - 1]!))
  const exact = valuesOf((code) => code === measureCode(dimension, aspect))
  const first = measureCode(dimension, 'main')
  // "180 × 90 cm" may answer "shorter than 2 m".
  const isPlain = (code: number) =>
    code === first || (aspect === 'main' && code > first + 1 && code < first + aspects.length)
  const values = exact.length > 0 || aspect === 'other' ? exact : valuesOf(isPlain)
  if (values.length === 0) return Number.NaN
  return dimension === 'length' || min !== undefined ? Math.max(...values) : Math.min(...values)
}
