import type { ScoredUnit } from '../units/score-units.ts'
import { dependsOnPrevious } from './depends-on-previous.ts'

// One sentence if it is clearly the answer, up to three if a neighbour may hold it.
const enoughShare = 0.9
const worthAdding = 0.04
const longestChars = 700

/** The answering sentences and those they depend on, in passage order. */
export function excerptProse(units: ScoredUnit[], best: ScoredUnit, language: string, most: number): ScoredUnit[] {
  const prose = units.filter((unit) => unit.kind === 'sentence')
  const chosen = new Set<ScoredUnit>([best])
  addSupport(chosen, best)
  let share = shareOf(chosen)
  for (const unit of [...prose].sort((a, b) => b.share - a.share)) {
    if (chosen.size >= most || share >= enoughShare || unit.share < worthAdding) break
    if (chosen.has(unit) || charsOf(chosen) + unit.text.length > longestChars) continue
    const extended = new Set(chosen).add(unit)
    addSupport(extended, unit)
    if (extended.size > most) continue
    for (const added of extended) chosen.add(added)
    share = shareOf(chosen)
  }
  return fillGap([...chosen].sort((a, b) => a.index - b.index))

  function addSupport(into: Set<ScoredUnit>, unit: ScoredUnit): void {
    let at = unit
    while (into.size < most && dependsOnPrevious(at.text, language)) {
      const before = units[at.index - 1]
      if (before?.kind !== 'sentence' || into.has(before)) return
      into.add(before)
      at = before
    }
  }

  // Two sentences around a third read better with it.
  function fillGap(sorted: ScoredUnit[]): ScoredUnit[] {
    const [first, last] = sorted
    if (!first || !last || sorted.length !== 2 || most < 3 || last.index - first.index !== 2) return sorted
    const between = units[first.index + 1]
    const fits = between?.kind === 'sentence' && charsOf(new Set(sorted)) + between.text.length <= longestChars
    return fits ? [first, between, last] : sorted
  }
}

const shareOf = (units: Set<ScoredUnit>): number => [...units].reduce((sum, unit) => sum + unit.share, 0)
const charsOf = (units: Set<ScoredUnit>): number => [...units].reduce((sum, unit) => sum + unit.text.length, 0)
