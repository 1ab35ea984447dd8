// A segment is an immutable part of an index: some passages compiled into flat arrays.
//
//   postings    stem → passages, each with its impact (how important the stem is in the passage, 1..255)
//   vocabulary  n-gram → words that contain it; there are no postings of n-grams, because candidates are
//               scanned word by word: far less memory
//   stream      passage → sentences → words; the first sentence is the title, the second the headings,
//               the last ones, without a position in the text, are the questions that the passage answers

export const NO_STEM = 0xffffffff
/** Title and headings precede the sentences of the text. */
export const LEADING_SENTENCES = 2

export interface Averages {
  title: number
  headings: number
  body: number
  grams: number
  sentence: number
}

export interface Segment {
  ids: string[]
  averages: Averages
  stemKeys: Float64Array
  stemTable: Uint32Array
  postingStart: Uint32Array
  postingDocs: Uint32Array
  postingImpacts: Uint8Array
  /** Stem → its words. */
  stemSurfaceStart: Uint32Array
  stemSurfaces: Uint32Array
  surfaceKeys: Float64Array
  surfaceStems: Uint32Array
  /** 1 if the word contains a digit. */
  surfaceNumeric: Uint8Array
  /** Number of n-grams of the word. */
  surfaceGrams: Uint8Array
  gramKeys: Float64Array
  gramTable: Uint32Array
  gramStart: Uint32Array
  gramSurfaces: Uint32Array
  /** In how many passages an n-gram occurs. */
  gramDocs: Uint32Array
  /** Number of n-grams of a passage. */
  gramLengths: Uint32Array
  sentenceStart: Uint32Array
  tokenStart: Uint32Array
  /** Start and end in the passage's text, two numbers per sentence. */
  spans: Uint32Array
  tokens: Uint32Array
  /** 0 without vectors. */
  dimensions: number
  passageCodes: Int8Array
  passageScales: Float32Array
}

// An open-addressing hash table whose keys are hashes already: a plain array, so a snapshot loads without building
// anything.

/** For each slot the key's number plus one; 0 is empty. */
export function buildKeyTable(keys: Float64Array): Uint32Array {
  let size = 8
  while (size < keys.length * 2) size *= 2
  const table = new Uint32Array(size)
  keys.forEach((key, number) => {
    let slot = key % size
    while (table[slot] !== 0) slot = (slot + 1) % size
    table[slot] = number + 1
  })
  return table
}

/** The number of the key, or -1. */
export function findKey(table: Uint32Array, keys: Float64Array, key: number): number {
  const size = table.length
  for (let slot = key % size; ; slot = (slot + 1) % size) {
    const number = table[slot]!
    if (number === 0) return -1
    if (keys[number - 1] === key) return number - 1
  }
}

/**
 * A 53-bit hash that replaces strings, so that an index contains only numbers.
 * Among a million strings the chance of a collision is 1 in 18,000, which would spoil one posting list.
 */
export function hash53(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}
