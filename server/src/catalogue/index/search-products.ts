// Finds products by words, facets and numbers in one pass over the posting lists of the question's words. The
// question is a list of criteria; one bit per criterion records which ones a product meets.

import { ASPECTS } from '../../language/measures.ts'
import type { Criterion, MeasureRange, ProductHit, ProductQuery } from '../product.ts'
import { availabilities, fieldOf, type Marks, type ProductIndex, resetMarks, slotOf, touch } from './product-index.ts'
import { FIELD_WEIGHTS, measureCode, STRONG_FIELDS } from './product-terms.ts'

const IN_STOCK = availabilities.indexOf('in_stock')
const OUT_OF_STOCK = availabilities.indexOf('out_of_stock')

export function searchProducts(index: ProductIndex, query: ProductQuery): ProductHit[] {
  const marks = resetMarks(index.scratch.slots, index.ids.length)
  const variantBits = query.criteria.reduce(
    (bits, { ofVariant }, number) => (ofVariant ? bits | (1 << number) : bits),
    0,
  )
  const lists = query.criteria.map((criterion, number) => listsOf(index, criterion, 1 << number))
  // A product that misses a required criterion is skipped, unless another member of its group may meet it.
  const demandedBits = (query.required ?? 0) | (query.requiredStrong ?? 0) | (query.requiredHead ?? 0)
  const rarest = index.shared === 0 ? rarestOf(lists, demandedBits) : undefined
  if (rarest) for (const list of rarest) markAll(marks, list, false)
  for (const termLists of lists) {
    if (termLists !== rarest) for (const list of termLists) markAll(marks, list, rarest !== undefined)
  }
  if (query.criteria.every(({ measure }) => measure)) markEverything(marks, index.ids.length)
  for (const [number, { measure }] of query.criteria.entries())
    if (measure) markMeasured(index, marks, measure, 1 << number)
  return rank(index, query, marks, variantBits)
}

function markEverything(marks: Marks, count: number) {
  for (let slot = 0; slot < count; slot++) {
    touch(marks, slot)
    marks.best[slot] = slot
  }
}

interface WeighedList {
  postings: readonly number[]
  bit: number
  value: number
  criterion: Criterion
}

function listsOf(index: ProductIndex, criterion: Criterion, bit: number): WeighedList[] {
  return criterion.anyOf.flatMap(({ key, weight }) => {
    const postings = index.postings.get(key)
    return postings ? [{ postings, bit, value: weight * rarityOf(index, postings.length), criterion }] : []
  })
}

function rarestOf(lists: WeighedList[][], demandedBits: number): WeighedList[] | undefined {
  const length = (all: WeighedList[]) => all.reduce((sum, { postings }) => sum + postings.length, 0)
  const candidates = lists.filter(([first]) => first && (first.bit & demandedBits) !== 0)
  return candidates.reduce<WeighedList[] | undefined>(
    (best, one) => (!best || length(one) < length(best) ? one : best),
    undefined,
  )
}

function markAll(marks: Marks, { postings, bit, value, criterion }: WeighedList, onlyTouched: boolean) {
  const { strong, ofVariant } = criterion
  // Local variables, inlined for speed: this runs for every posting of every word.
  const { now, madeBy, met, strong: metStrong, head, scores, best, touched } = marks
  const gains = FIELD_WEIGHTS.map((weight) => value * (ofVariant ? 2 : weight))
  let { count } = marks
  for (let at = 0; at < postings.length; at++) {
    const slot = slotOf(postings[at]!)
    const field = fieldOf(postings[at]!)
    if (strong && field >= STRONG_FIELDS) continue
    const strongBit = ofVariant || field < STRONG_FIELDS ? bit : 0
    const headBit = field === 0 ? bit : 0
    if (madeBy[slot] !== now) {
      if (onlyTouched) continue
      madeBy[slot] = now
      met[slot] = bit
      metStrong[slot] = strongBit
      head[slot] = headBit
      scores[slot] = gains[field]!
      best[slot] = slot
      touched[count++] = slot
      continue
    }
    if ((met[slot]! & bit) === 0) scores[slot]! += gains[field]!
    met[slot]! |= bit
    metStrong[slot]! |= strongBit
    head[slot]! |= headBit
  }
  marks.count = count
}

/** 0 for what all products have, about 1 for what a single one has. */
export function rarityOf({ live }: ProductIndex, count: number): number {
  return Math.log(1 + (Math.max(0, live - count) + 0.5) / (count + 0.5)) / Math.log(2 + live)
}

function rank(index: ProductIndex, query: ProductQuery, slots: Marks, variantBits: number): ProductHit[] {
  const demand = {
    met: query.required ?? 0,
    strong: query.requiredStrong ?? 0,
    head: query.requiredHead ?? 0,
  }
  // Without shared groups, products need no grouping.
  const isAlone = index.shared === 0
  const candidates = isAlone ? slots : groupSlots(index, query, slots, demand, variantBits)
  const fits = (at: number) => holds(candidates, at, demand) && (!isAlone || passes(index, query, at))
  return top(candidates, orderOf(index, query), query, fits).map((at) => {
    const slot = candidates.best[at]!
    const shownSlot = representativeSlot(index, slot)
    const price = index.prices[slot]!
    return {
      id: index.ids[shownSlot] ?? '',
      met: candidates.met[at]!,
      metStrong: candidates.strong[at]!,
      metHead: candidates.head[at]!,
      score: candidates.scores[at]!,
      price: Number.isNaN(price) ? null : price,
      title: index.titles[shownSlot] ?? [],
    }
  })
}

/** Required criteria, as bits. */
interface Demand {
  met: number
  strong: number
  head: number
}

function holds(marks: Marks, at: number, { met, strong, head }: Demand): boolean {
  return (marks.met[at]! & met) === met && (marks.strong[at]! & strong) === strong && (marks.head[at]! & head) === head
}

function groupSlots(
  index: ProductIndex,
  query: ProductQuery,
  slots: Marks,
  demand: Demand,
  variantBits: number,
): Marks {
  const groups = resetMarks(index.scratch.groups, index.groupMembers.length)
  for (let at = 0; at < slots.count; at++) {
    const slot = slots.touched[at]!
    const group = index.groups[slot]!
    // A product without a group can be rejected at once.
    if (!holds(slots, slot, demand) && index.groupMembers[group]!.length === 1) continue
    if (passes(index, query, slot)) join(groups, group, slots, slot, variantBits)
  }
  return groups
}

/** Any member of a group may match words, but size and colour must match in one member. */
function join(groups: Marks, group: number, slots: Marks, slot: number, variantBits: number) {
  const metBits = slots.met[slot]!
  if (touch(groups, group)) {
    groups.best[group] = slot
    groups.met[group] = metBits
    groups.strong[group] = slots.strong[slot]!
    groups.head[group] = slots.head[slot]!
    groups.scores[group] = slots.scores[slot]!
    return
  }
  const before = groups.met[group]!
  const better = bits(metBits & variantBits) > bits(before & variantBits)
  const variant = (better ? metBits : before) & variantBits
  if (better) groups.best[group] = slot
  groups.met[group] = ((before | metBits) & ~variantBits) | variant
  groups.strong[group] = ((groups.strong[group]! | slots.strong[slot]!) & ~variantBits) | variant
  groups.head[group]! |= slots.head[slot]!
  groups.scores[group] = Math.max(groups.scores[group]!, slots.scores[slot]!)
}

function passes(index: ProductIndex, { minPrice, maxPrice, inStock, only, except }: ProductQuery, slot: number) {
  const id = index.ids[slot]
  if (id === undefined) return false
  const price = index.prices[slot]!
  // A product without a price matches no price limit.
  if (minPrice !== undefined && !(price >= minPrice)) return false
  if (maxPrice !== undefined && !(price <= maxPrice)) return false
  if (inStock && index.availability[slot] !== IN_STOCK) return false
  if (except?.has(representative(index, slot))) return false
  return !only || only.has(id) || only.has(representative(index, slot))
}

/** Negative if the first comes first. */
type Order = (marks: Marks, a: number, b: number) => number

function orderOf(index: ProductIndex, { sort, sortedBy }: ProductQuery): Order {
  const { prices, ratings, updated } = index
  const relevance: Order = ({ scores, best }, a, b) =>
    scores[b]! - scores[a]! ||
    availabilityRank(index, best[b]!) - availabilityRank(index, best[a]!) ||
    index.groups[best[a]!]! - index.groups[best[b]!]!
  const price = (slot: number, none: number) => {
    const ownPrice = prices[slot]!
    return Number.isNaN(ownPrice) ? none : ownPrice
  }
  const by = (figure: (slot: number) => number): Order => {
    return (marks, a, b) => figure(marks.best[a]!) - figure(marks.best[b]!) || relevance(marks, a, b)
  }
  if (sort === 'price_up') return by((slot) => price(slot, 1e12))
  if (sort === 'price_down') return by((slot) => -price(slot, -1))
  if (sort === 'rating') return by((slot) => -ratings[slot]!)
  if (sort === 'newest') return by((slot) => -updated[slot]!)
  if (sortedBy && sort !== 'relevance') {
    const sign = sort === 'measure_up' ? 1 : -1
    return by((slot) => {
      const value = measureOf(index.measures[slot] ?? [], sortedBy)
      return Number.isNaN(value) ? 1e12 : sign * value
    })
  }
  return relevance
}

/** Among equal matches, available products come first. */
function availabilityRank(index: ProductIndex, slot: number): number {
  return index.availability[slot] === OUT_OF_STOCK ? 0 : 1
}

/** The group's representative: the shortest title is the one without size or colour. */
function representativeSlot(index: ProductIndex, slot: number): number {
  const members = index.groupMembers[index.groups[slot]!] ?? []
  let shortest = slot
  for (const member of members) {
    if ((index.titles[member]?.length ?? 99) < (index.titles[shortest]?.length ?? 99)) shortest = member
  }
  return shortest
}

function representative(index: ProductIndex, slot: number): string {
  return index.ids[representativeSlot(index, slot)] ?? ''
}

/** Selects the few best in one pass; one comparison rejects most. */
function top(marks: Marks, order: Order, { limit, sort }: ProductQuery, fits: (at: number) => boolean): number[] {
  const topSlots: number[] = []
  const { scores, touched, count } = marks
  const byScore = sort === 'relevance'
  for (let index = 0; index < count; index++) {
    const one = touched[index]!
    const last = topSlots[limit - 1]
    if (last !== undefined && ((byScore && scores[one]! < scores[last]!) || order(marks, one, last) >= 0)) continue
    if (!fits(one)) continue
    let at = topSlots.length
    while (at > 0 && order(marks, one, topSlots[at - 1]!) < 0) at--
    topSlots.splice(at, 0, one)
    if (topSlots.length > limit) topSlots.pop()
  }
  return topSlots
}

function bits(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count++
  return count
}

// Criteria on measures: "at least 500 lumens", "under 2 kg".
function markMeasured({ measures }: ProductIndex, marks: Marks, criterion: MeasureRange, bit: number) {
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
function measureOf(measures: readonly number[], { dimension, aspect, min }: MeasureRange): number {
  const valuesOf = (fits: (code: number) => boolean) =>
    measures.filter((_, at) => at % 2 === 1 && fits(measures[at - 1]!))
  const exact = valuesOf((code) => code === measureCode(dimension, aspect))
  const first = measureCode(dimension, 'main')
  // "180 × 90 cm" may answer "shorter than 2 m".
  const isPlain = (code: number) =>
    code === first || (aspect === 'main' && code > first + 1 && code < first + ASPECTS.length)
  const values = exact.length > 0 || aspect === 'other' ? exact : valuesOf(isPlain)
  if (values.length === 0) return Number.NaN
  return dimension === 'length' || min !== undefined ? Math.max(...values) : Math.min(...values)
}
