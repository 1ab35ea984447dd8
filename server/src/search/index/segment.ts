// A segment is an immutable part of an index: some passages compiled into flat arrays.
//
//   postings    stem → passages, each with its impact (how important the stem is in the passage, 1..255)
//   vocabulary  n-gram → words that contain it; there are no postings of n-grams, because candidates are
//               scanned word by word: far less memory
//   stream      passage → sentences → words; the first sentence is the title, the second the headings,
//               the last ones, without a position in the text, are the questions that the passage answers

export const noStem = 0xffffffff
/** Title and headings precede the sentences of the text. */
export const leadingSentences = 2

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
