// Finds texts that are almost the same without comparing each with each: a text's sketch is the smallest hash of its
// word triples in each of 32 bins, equal bins estimate the share of triples that two texts have in common, and only texts
// with the same four bins in a row are compared at all.

const BINS = 32
const BINS_OF_BAND = 4
const EMPTY = 0xffffffff
// Shorter texts, such as "Read more", are alike without meaning anything.
const MIN_WORDS = 12
const SHINGLE_WORDS = 3
// In scripts without spaces a "word" is a sentence, so letters stand in.
const LONGEST_WORD = 40
const MIN_LIKENESS = 0.75
// A band that so many different texts share says nothing about them.
const MAX_IN_BUCKET = 8
// So many take about a millisecond.
const SKETCHES_AT_ONCE = 500
const FIRST_CAPACITY = 1024

type TextSketch = Uint32Array

/** Many sketches in one block of memory. */
export class SketchList {
  #bins = new Uint32Array(FIRST_CAPACITY * BINS)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(sketch: TextSketch): void {
    const start = this.#length++ * BINS
    if (start === this.#bins.length) {
      const larger = new Uint32Array(this.#bins.length * 2)
      larger.set(this.#bins)
      this.#bins = larger
    }
    this.#bins.set(sketch, start)
  }

  /** A view, not a copy. */
  at(index: number): TextSketch {
    return this.#bins.subarray(index * BINS, (index + 1) * BINS)
  }
}

/** Undefined if the text is too short to be compared. */
export function sketchOf(text: string): TextSketch | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const units = words.some(({ length }) => length > LONGEST_WORD) ? [...words.join('')] : words
  if (units.length < MIN_WORDS) return undefined
  const hashes = units.map(hashText)
  const sketch = new Uint32Array(BINS).fill(EMPTY)
  for (let at = 0; at + SHINGLE_WORDS <= hashes.length; at++) {
    let hash = 0
    for (let i = 0; i < SHINGLE_WORDS; i++) hash = Math.imul(hash ^ (hashes[at + i] ?? 0), 0x9e3779b1) >>> 0
    hash = mix(hash)
    const bin = hash % BINS
    const value = Math.floor(hash / BINS)
    if (value < (sketch[bin] ?? EMPTY)) sketch[bin] = value
  }
  return sketch
}

/** About the share of word triples that both have, 0 to 1. */
export function likeness(a: TextSketch, b: TextSketch): number {
  let usedCount = 0
  let same = 0
  for (let bin = 0; bin < BINS; bin++) {
    if (a[bin] === EMPTY && b[bin] === EMPTY) continue
    usedCount++
    if (a[bin] === b[bin]) same++
  }
  return usedCount === 0 ? 0 : same / usedCount
}

/** Groups of two and more that are almost the same, as positions in the list. `pause` lets others run. */
export async function groupAlike(sketches: SketchList, pause: () => Promise<void>): Promise<number[][]> {
  const parents = Array.from({ length: sketches.length }, (_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] ?? root] ?? root
      root = parents[root] ?? root
    }
    return root
  }
  for (let band = 0; band < BINS; band += BINS_OF_BAND) {
    const buckets = new Map<number, number[]>()
    for (let index = 0; index < sketches.length; index++) {
      if (index % SKETCHES_AT_ONCE === 0) await pause()
      const sketch = sketches.at(index)
      const key = bandKey(sketch, band)
      if (key === undefined) continue
      const bucket = buckets.get(key)
      if (!bucket) {
        buckets.set(key, [index])
        continue
      }
      const like = bucket.find((other) => likeness(sketch, sketches.at(other)) >= MIN_LIKENESS)
      if (like !== undefined) parents[rootOf(index)] = rootOf(like)
      else if (bucket.length < MAX_IN_BUCKET) bucket.push(index)
    }
  }
  const groups = new Map<number, number[]>()
  for (const index of parents.keys()) {
    const root = rootOf(index)
    const group = groups.get(root)
    if (group) group.push(index)
    else groups.set(root, [index])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** Undefined if the text has nothing in these bins. */
function bandKey(sketch: TextSketch, band: number): number | undefined {
  let key = 0
  let isEmpty = true
  for (let bin = band; bin < band + BINS_OF_BAND; bin++) {
    const value = sketch[bin] ?? EMPTY
    if (value !== EMPTY) isEmpty = false
    key = Math.imul(key ^ value, 0x85ebca6b) >>> 0
    key = (key ^ (key >>> 13)) >>> 0
  }
  return isEmpty ? undefined : key
}

function hashText(text: string): number {
  let hash = 2166136261
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  return hash >>> 0
}

/** Spreads a hash evenly over all bits. */
function mix(hash: number): number {
  let mixed = hash
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
