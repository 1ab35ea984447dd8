// One bot's products in memory, changeable one by one: posting lists per word and facet, and flat arrays to filter
// and sort by. Product details are read from the database.
import type { Product } from '../product.ts'
import { groupName, type ProductTerms, productTerms } from './product-terms.ts'

export const availabilities = [null, 'in_stock', 'out_of_stock', 'preorder', 'backorder'] as const

// A posting packs a slot and the word's field into one number.
const FIELD_BITS = 3
const FIELD_STEPS = 1 << FIELD_BITS
const FIRST_CAPACITY = 64
// Codes are matched exactly, never as typos of each other.
const SPELLABLE = /^\p{L}{4,20}$/u

export const slotOf = (posting: number): number => posting >>> FIELD_BITS
export const fieldOf = (posting: number): number => posting & (FIELD_STEPS - 1)
export const postingOf = (slot: number, field: number): number => slot * FIELD_STEPS + field

export interface ProductIndex {
  language: string
  /** Product ids by slot; undefined for deleted products. */
  ids: (string | undefined)[]
  slots: Map<string, number>
  live: number
  postings: Map<string, number[]>
  /** Words that may be misspelt, by their first and last letters. */
  spellings: Map<string, string[]>
  titles: (readonly string[])[]
  /** A checksum of each product's words, to detect changes. */
  termSums: Float64Array
  groups: Int32Array
  groupNumbers: Map<string, number>
  groupMembers: number[][]
  /** How many products share a group with another. */
  shared: number
  prices: Float64Array
  ratings: Float32Array
  updated: Float64Array
  availability: Uint8Array
  /** Alternating codes and values, by slot. */
  measures: (readonly number[])[]
  /** Kinds of products, from the facets `kind:…`. */
  kinds: string[]
  postingCount: number
  scratch: { slots: Marks; groups: Marks }
}

export function makeProductIndex(language: string): ProductIndex {
  return {
    language,
    ids: [],
    slots: new Map(),
    live: 0,
    postings: new Map(),
    spellings: new Map(),
    titles: [],
    termSums: new Float64Array(FIRST_CAPACITY),
    groups: new Int32Array(FIRST_CAPACITY),
    groupNumbers: new Map(),
    groupMembers: [],
    shared: 0,
    prices: new Float64Array(FIRST_CAPACITY),
    ratings: new Float32Array(FIRST_CAPACITY),
    updated: new Float64Array(FIRST_CAPACITY),
    availability: new Uint8Array(FIRST_CAPACITY),
    measures: [],
    kinds: [],
    postingCount: 0,
    scratch: { slots: makeMarks(), groups: makeMarks() },
  }
}

export function putProduct(index: ProductIndex, product: Product) {
  if (product.discontinued) {
    dropProduct(index, product.id)
    return
  }
  const terms = productTerms(product, index.language)
  const group = groupNumber(index, groupName(product))
  const sum = termSum(terms)
  const currentSlot = index.slots.get(product.id)
  if (currentSlot !== undefined && index.termSums[currentSlot] === sum && index.groups[currentSlot] === group) {
    setFigures(index, currentSlot, product)
    return
  }
  dropProduct(index, product.id)
  const slot = index.ids.length
  makeRoom(index, slot + 1)
  index.ids.push(product.id)
  index.titles.push(terms.titleTerms)
  index.measures.push(terms.measures)
  index.termSums[slot] = sum
  index.groups[slot] = group
  goLive(index, product.id, slot, group)
  for (const [term, field] of terms.terms) addPosting(index, term, postingOf(slot, field))
  for (const facet of terms.facets) addPosting(index, facet, postingOf(slot, 0))
  setFigures(index, slot, product)
}

function goLive(index: ProductIndex, id: string, slot: number, group: number) {
  index.slots.set(id, slot)
  index.live++
  const members = index.groupMembers[group] ?? []
  // Most groups have one member, and pushing to an empty array reserves 17 places.
  if (members.length === 0) index.groupMembers[group] = [slot]
  else index.shared += members.push(slot) === 2 ? 2 : 1
}

type SlotFigures = Pick<ProductIndex, 'termSums' | 'groups' | 'prices' | 'ratings' | 'updated' | 'availability'>

/** Appends slots from a snapshot, after its groups. */
export function appendSlots(
  index: ProductIndex,
  slots: Pick<ProductIndex, 'ids' | 'titles' | 'measures'> & SlotFigures,
) {
  const start = index.ids.length
  makeRoom(index, start + slots.ids.length)
  for (const name of ['termSums', 'prices', 'updated'] as const) index[name].set(slots[name], start)
  index.ratings.set(slots.ratings, start)
  index.groups.set(slots.groups, start)
  index.availability.set(slots.availability, start)
  for (const [row, id] of slots.ids.entries()) {
    index.ids.push(id)
    index.titles.push(slots.titles[row] ?? [])
    index.measures.push(slots.measures[row] ?? [])
    if (id !== undefined) goLive(index, id, start + row, slots.groups[row] ?? 0)
  }
}

export function dropProduct(index: ProductIndex, id: string) {
  const slot = index.slots.get(id)
  if (slot === undefined) return
  index.slots.delete(id)
  index.ids[slot] = undefined
  index.titles[slot] = []
  index.measures[slot] = []
  index.live--
  const members = index.groupMembers[index.groups[slot] ?? 0]
  if (!members) return
  if (members.length > 1) index.shared -= members.length === 2 ? 2 : 1
  members.splice(members.indexOf(slot), 1)
}

/** Approximate size in bytes, from measurements with 100,000 products. */
export function productIndexBytes({ ids, postings, postingCount }: ProductIndex): number {
  return ids.length * 380 + postings.size * 180 + postingCount * 10
}

function addPosting(index: ProductIndex, term: string, posting: number) {
  index.postingCount++
  const list = index.postings.get(term)
  if (list) {
    list.push(posting)
    return
  }
  index.postings.set(term, [posting])
  addWord(index, term)
}

/** Registers a word that is new to the index. */
export function addWord(index: ProductIndex, term: string) {
  if (term.startsWith('kind:')) index.kinds.push(term.slice(5))
  if (!SPELLABLE.test(term)) return
  for (const edge of wordEdges(term)) {
    const neighbours = index.spellings.get(edge)
    if (neighbours) neighbours.push(term)
    else index.spellings.set(edge, [term])
  }
}

/** A typo rarely affects both ends of a word. */
export function wordEdges(word: string): string[] {
  return [`^${word.slice(0, 2)}`, `${word.slice(-3)}$`]
}

function setFigures(index: ProductIndex, slot: number, product: Product) {
  index.prices[slot] = lowestPrice(product)
  index.ratings[slot] = product.rating ?? 0
  index.updated[slot] = product.updatedAt ? Date.parse(product.updatedAt) : 0
  index.availability[slot] = availabilities.indexOf(availabilityOf(product))
}

function lowestPrice({ price, salePrice, variants }: Product): number {
  const ownPrice = salePrice ?? price
  if (ownPrice !== null) return ownPrice
  const all = variants.map((variant) => variant.salePrice ?? variant.price).filter((one) => one !== null)
  return all.length > 0 ? Math.min(...all) : Number.NaN
}

function availabilityOf({ availability, variants }: Product) {
  if (availability !== null || variants.length === 0) return availability
  return variants.some((variant) => variant.availability === 'in_stock') ? 'in_stock' : null
}

function groupNumber(index: ProductIndex, name: string): number {
  return index.groupNumbers.get(name) ?? addGroup(index, name)
}

export function addGroup(index: ProductIndex, name: string): number {
  const number = index.groupMembers.length
  index.groupNumbers.set(name, number)
  index.groupMembers.push([])
  return number
}

/** Depends on words and their fields, but not on their order. */
function termSum({ terms, facets, measures }: ProductTerms): number {
  let sum = 0
  for (const [term, field] of terms) sum += textHash(term) * (field + 1)
  for (const facet of facets) sum += textHash(facet)
  // A sign or a unit may change while the words stay the same.
  return sum + textHash(measures.join(' '))
}

function textHash(text: string): number {
  let hash = 2166136261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619)
  return hash >>> 0
}

function makeRoom(index: ProductIndex, slots: number) {
  if (slots <= index.groups.length) return
  const capacity = Math.max(slots, index.groups.length * 2)
  const grow = <T extends Float64Array | Float32Array | Int32Array | Uint8Array>(larger: T, old: T): T => {
    larger.set(old)
    return larger
  }
  index.termSums = grow(new Float64Array(capacity), index.termSums)
  index.groups = grow(new Int32Array(capacity), index.groups)
  index.prices = grow(new Float64Array(capacity), index.prices)
  index.ratings = grow(new Float32Array(capacity), index.ratings)
  index.updated = grow(new Float64Array(capacity), index.updated)
  index.availability = grow(new Uint8Array(capacity), index.availability)
}

// A search's notes on products or groups, in reusable arrays: marks of earlier searches have an older number, so
// nothing has to be cleared.
export interface Marks {
  /** Number of the current search. */
  now: number
  madeBy: Uint32Array
  /** Matched criteria, as bits. */
  met: Uint32Array
  strong: Uint32Array
  head: Uint32Array
  scores: Float32Array
  /** For a group, its best matching member. */
  best: Int32Array
  touched: Int32Array
  count: number
}

function makeMarks(): Marks {
  return makeSizedMarks(64)
}

/** Prepares the marks for a search over this many. */
export function resetMarks(marks: Marks, count: number): Marks {
  if (count > marks.madeBy.length || marks.now > 4e9)
    Object.assign(marks, makeSizedMarks(Math.max(64, Math.ceil(count * 1.5))))
  marks.now++
  marks.count = 0
  return marks
}

/** True the first time in a search. */
export function touch(marks: Marks, at: number): boolean {
  if (marks.madeBy[at] === marks.now) return false
  marks.madeBy[at] = marks.now
  marks.met[at] = 0
  marks.strong[at] = 0
  marks.head[at] = 0
  marks.scores[at] = 0
  marks.touched[marks.count++] = at
  return true
}

function makeSizedMarks(length: number): Marks {
  return {
    now: 0,
    madeBy: new Uint32Array(length),
    met: new Uint32Array(length),
    strong: new Uint32Array(length),
    head: new Uint32Array(length),
    scores: new Float32Array(length),
    best: new Int32Array(length),
    touched: new Int32Array(length),
    count: 0,
  }
}
