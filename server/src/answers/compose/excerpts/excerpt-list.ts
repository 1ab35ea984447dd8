import type { ScoredUnit } from '../units/score-units.ts'
import { tableRow } from '../units/units.ts'

export interface ListExcerpt {
  introduction: ScoredUnit | undefined
  items: ScoredUnit[]
  /** Number of omitted items. */
  omitted: number
}

const maxItems = 8
const maxFitting = 3
// An item this much likelier than the list's average stands alone; a table row nearly always does.
const standsOut = 2.5
const rowStandsOut = 1.4
const fittingShare = 0.35

/** The list around a unit, or the part of it that matches the question. */
export function excerptList(units: ScoredUnit[], best: ScoredUnit): ListExcerpt {
  const group = groupAround(units, best)
  const before = group[0] && units[group[0].index - 1]
  const introduction = before?.kind === 'sentence' ? before : undefined
  const items = best.kind === 'sentence' ? wholeOrFitting(group, false) : wholeOrFitting(group, isSpecific(group, best))
  return { introduction, items, omitted: group.length - items.length }
}

/** Consecutive items of one kind; for an introducing sentence, the items after it. */
function groupAround(units: ScoredUnit[], best: ScoredUnit): ScoredUnit[] {
  const inside = best.kind === 'sentence' ? (units[best.index + 1] ?? best) : best
  let start = inside.index
  while (units[start - 1]?.kind === inside.kind) start--
  let end = inside.index + 1
  while (units[end]?.kind === inside.kind) end++
  return units.slice(start, end)
}

function isSpecific(group: ScoredUnit[], best: ScoredUnit): boolean {
  if (best.kind === 'step') return false
  const rest = group.filter((unit) => unit !== best)
  if (rest.length === 0) return true
  const mean = rest.reduce((sum, unit) => sum + unit.share, 0) / rest.length
  return best.share > mean * (tableRow.test(best.text) && group.length > maxFitting ? rowStandsOut : standsOut)
}

function wholeOrFitting(group: ScoredUnit[], specific: boolean): ScoredUnit[] {
  if (!specific && group.length <= maxItems) return group
  const ranked = [...group].sort((a, b) => b.share - a.share)
  const best = ranked[0]
  if (!best) return []
  if (specific) {
    return ranked
      .filter((unit) => unit.share >= best.share * fittingShare)
      .slice(0, maxFitting)
      .sort((a, b) => a.index - b.index)
  }
  // Steps must be consecutive, starting one before the best.
  if (best.kind === 'step') {
    const from = Math.max(0, Math.min(group.indexOf(best) - 1, group.length - maxItems))
    return group.slice(from, from + maxItems)
  }
  return ranked.slice(0, maxItems).sort((a, b) => a.index - b.index)
}
