// Builds a segment of an index: passages are gathered in a draft, which is frozen into flat arrays.
import { analyse, type Token } from '../../language/analyse.ts'
import { sentences } from '../../language/sentences.ts'
import { quantise } from '../vectors/quantise.ts'
import type { IndexedPassage } from './passage.ts'
import { fieldWeights, saturation, wordScoring } from './scoring.ts'
import { type Averages, buildKeyTable, hash53, LEADING_SENTENCES, NO_STEM, type Segment } from './segment.ts'

/** Compiles passages into a segment. */
export function buildSegment(passages: IndexedPassage[], averages?: Averages): Segment {
  const draft = new SegmentDraft()
  for (const passage of passages) addPassage(draft, passage)
  return freezeSegment(draft, averages)
}

function addPassage(draft: SegmentDraft, passage: IndexedPassage): void {
  const { title, headings, text, language, questions = [], vector } = passage
  const tokensOf = (part: string) => analyse(part, language).map((token) => draft.surfaceOf(token))
  const body = sentences(text, language).map(
    ({ start, end }): DraftSentence => ({ start, end, tokens: tokensOf(text.slice(start, end)) }),
  )
  draft.passages.push({
    id: passage.id,
    sentences: [
      { start: 0, end: 0, tokens: tokensOf(title) },
      { start: 0, end: 0, tokens: tokensOf(headings.join('\n')) },
      ...body,
      ...questions.map((question) => ({ start: 0, end: 0, tokens: tokensOf(question) })),
    ],
    ...(vector && draft.code(vector)),
  })
}

/** Merges the passages that `keep` accepts into one segment. Needs no texts: segments contain everything. */
export function mergeSegments(
  segments: Segment[],
  keep: (segment: number, doc: number) => boolean,
  averages?: Averages,
): Segment {
  const draft = new SegmentDraft()
  segments.forEach((segment, s) => {
    const surfaceOf = surfaceMapper(segment, draft)
    if (segment.dimensions > 0) draft.dimensions = segment.dimensions
    segment.ids.forEach((id, doc) => {
      if (keep(s, doc)) draft.passages.push(copyPassage(segment, id, doc, surfaceOf))
    })
  })
  return freezeSegment(draft, averages)
}

function copyPassage(segment: Segment, id: string, doc: number, surfaceOf: (surface: number) => number): DraftPassage {
  const passage: DraftPassage = {
    id,
    sentences: [],
    ...codesAt(segment.passageCodes, segment.passageScales, segment.dimensions, doc),
  }
  for (let s = segment.sentenceStart[doc]!; s < segment.sentenceStart[doc + 1]!; s++) {
    passage.sentences.push({
      start: segment.spans[s * 2]!,
      end: segment.spans[s * 2 + 1]!,
      tokens: Array.from(segment.tokens.subarray(segment.tokenStart[s]!, segment.tokenStart[s + 1]!), surfaceOf),
    })
  }
  return passage
}

function codesAt(
  codes: Int8Array,
  scales: Float32Array,
  dimensions: number,
  at: number,
): { codes?: Int8Array; scale?: number } {
  const scale = scales[at]
  return scale ? { codes: codes.subarray(at * dimensions, (at + 1) * dimensions), scale } : {}
}

function surfaceMapper(segment: Segment, draft: SegmentDraft): (surface: number) => number {
  const gramsOf: number[][] = Array.from(segment.surfaceKeys, () => [])
  segment.gramKeys.forEach((key, gram) => {
    for (let at = segment.gramStart[gram]!; at < segment.gramStart[gram + 1]!; at++)
      gramsOf[segment.gramSurfaces[at]!]!.push(key)
  })
  const draftSurfaces = new Int32Array(segment.surfaceKeys.length).fill(-1)
  return (surface) => {
    if (draftSurfaces[surface] === -1) {
      const stem = segment.surfaceStems[surface]!
      const stemKey = stem === NO_STEM ? undefined : segment.stemKeys[stem]
      draftSurfaces[surface] = draft.surface(
        segment.surfaceKeys[surface]!,
        stemKey,
        segment.surfaceNumeric[surface] === 1,
        () => gramsOf[surface]!,
      )
    }
    return draftSurfaces[surface]!
  }
}

/** A sentence of a draft: numbers of the draft's words. */
interface DraftSentence {
  start: number
  end: number
  tokens: number[]
}

interface DraftPassage {
  id: string
  sentences: DraftSentence[]
  codes?: Int8Array
  scale?: number
}

/** A segment under construction, filled from texts or from other segments. */
class SegmentDraft {
  readonly passages: DraftPassage[] = []
  readonly stemKeys: number[] = []
  readonly surfaceKeys: number[] = []
  readonly surfaceStems: number[] = []
  readonly surfaceNumeric: number[] = []
  readonly surfaceGrams: number[][] = []
  readonly gramKeys: number[] = []
  dimensions = 0
  readonly #stems = new Map<number, number>()
  readonly #grams = new Map<number, number>()
  readonly #surfaces = new Map<number, number>()
  // Weak: once the analysis evicts a token from its cache, the same word gets a new one.
  readonly #tokens = new WeakMap<Token, number>()

  /** The word's number in the draft. */
  surfaceOf(token: Token): number {
    let surface = this.#tokens.get(token)
    if (surface === undefined) {
      // Keyed with its stem: "die" is a function word in German and a verb in English.
      surface = this.surface(
        hash53(`${token.word}\n${token.stem}`),
        token.stem === '' ? undefined : hash53(token.stem),
        /\p{N}/u.test(token.word),
        () => token.grams.map(hash53),
      )
      this.#tokens.set(token, surface)
    }
    return surface
  }

  surface(key: number, stemKey: number | undefined, numeric: boolean, gramKeys: () => number[]): number {
    const knownSurface = this.#surfaces.get(key)
    if (knownSurface !== undefined) return knownSurface
    const surface = this.surfaceKeys.push(key) - 1
    this.#surfaces.set(key, surface)
    this.surfaceStems.push(stemKey === undefined ? NO_STEM : numberOf(this.#stems, this.stemKeys, stemKey))
    this.surfaceNumeric.push(numeric ? 1 : 0)
    this.surfaceGrams.push([...new Set(gramKeys().map((gram) => numberOf(this.#grams, this.gramKeys, gram)))])
    return surface
  }

  code(vector: Float32Array): { codes: Int8Array; scale: number } {
    this.dimensions = vector.length
    const codes = new Int8Array(vector.length)
    return { scale: quantise(vector, codes, 0), codes }
  }
}

function numberOf(numbers: Map<number, number>, keys: number[], key: number): number {
  let number = numbers.get(key)
  if (number === undefined) {
    number = keys.push(key) - 1
    numbers.set(key, number)
  }
  return number
}

type FrozenVectors = Pick<Segment, 'dimensions' | 'passageCodes' | 'passageScales'>

/** Compiles a draft. A small segment uses the averages of the large one it belongs to. */
function freezeSegment(draft: SegmentDraft, fixedAverages?: Averages): Segment {
  const stream = freezeStream(draft)
  const counts = countGrams(draft)
  const averages = fixedAverages ?? averagesOf(draft, counts.gramLengths)
  const stemKeys = Float64Array.from(draft.stemKeys)
  const gramKeys = Float64Array.from(draft.gramKeys)
  return {
    ids: draft.passages.map((passage) => passage.id),
    averages,
    stemKeys,
    stemTable: buildKeyTable(stemKeys),
    ...freezePostings(draft, averages),
    surfaceKeys: Float64Array.from(draft.surfaceKeys),
    surfaceStems: Uint32Array.from(draft.surfaceStems),
    surfaceNumeric: Uint8Array.from(draft.surfaceNumeric),
    surfaceGrams: Uint8Array.from(draft.surfaceGrams, (grams) => Math.min(255, grams.length)),
    gramKeys,
    gramTable: buildKeyTable(gramKeys),
    ...invertStems(draft),
    ...invertGrams(draft),
    ...counts,
    ...stream,
    ...freezeVectors(draft),
  }
}

function freezeStream({ passages }: SegmentDraft): Pick<Segment, 'sentenceStart' | 'tokenStart' | 'spans' | 'tokens'> {
  const all = passages.flatMap((passage) => passage.sentences)
  const sentenceStart = new Uint32Array(passages.length + 1)
  passages.forEach((passage, p) => {
    sentenceStart[p + 1] = sentenceStart[p]! + passage.sentences.length
  })
  const tokenStart = new Uint32Array(all.length + 1)
  all.forEach((sentence, s) => {
    tokenStart[s + 1] = tokenStart[s]! + sentence.tokens.length
  })
  const tokens = new Uint32Array(tokenStart[all.length]!)
  const spans = new Uint32Array(all.length * 2)
  all.forEach((sentence, s) => {
    tokens.set(sentence.tokens, tokenStart[s]!)
    spans[s * 2] = sentence.start
    spans[s * 2 + 1] = sentence.end
  })
  return { sentenceStart, tokenStart, spans, tokens }
}

function averagesOf(draft: SegmentDraft, gramLengths: Uint32Array): Averages {
  let title = 0
  let headings = 0
  let body = 0
  let sentences = 0
  for (const passage of draft.passages) {
    passage.sentences.forEach((sentence, s) => {
      const length = stemsIn(draft, sentence.tokens)
      if (s === 0) title += length
      else if (s === 1) headings += length
      else if (sentence.end > 0) {
        body += length
        sentences++
      }
    })
  }
  const passages = Math.max(1, draft.passages.length)
  return {
    title: title / passages || 1,
    headings: headings / passages || 1,
    body: body / passages || 1,
    sentence: body / Math.max(1, sentences) || 1,
    grams: gramLengths.reduce((sum, length) => sum + length, 0) / passages || 1,
  }
}

const stemsIn = (draft: SegmentDraft, tokens: number[]): number =>
  tokens.reduce((count, token) => count + (draft.surfaceStems[token] === NO_STEM ? 0 : 1), 0)

function freezePostings(
  draft: SegmentDraft,
  averages: Averages,
): Pick<Segment, 'postingStart' | 'postingDocs' | 'postingImpacts'> {
  const stems = draft.stemKeys.length
  // Passage by passage: maps for all passages at once would take ten times the memory.
  const postings = postingsByPassage(draft, averages)
  const postingStart = new Uint32Array(stems + 1)
  for (const stem of postings.stems) postingStart[stem + 1]!++
  for (let stem = 0; stem < stems; stem++) postingStart[stem + 1]! += postingStart[stem]!
  const next = postingStart.slice()
  const postingDocs = new Uint32Array(postings.stems.length)
  const postingImpacts = new Uint8Array(postings.stems.length)
  let from = 0
  postings.ends.forEach((end, doc) => {
    for (; from < end; from++) {
      const at = next[postings.stems[from]!]!++
      postingDocs[at] = doc
      postingImpacts[at] = postings.impacts[from]!
    }
  })
  return { postingStart, postingDocs, postingImpacts }
}

function postingsByPassage(draft: SegmentDraft, averages: Averages) {
  const most = draft.passages.reduce((sum, { sentences }) => sum + countTokens(sentences), 0)
  const stems = new Uint32Array(most)
  const impacts = new Uint8Array(most)
  let count = 0
  const ends = draft.passages.map(({ sentences }) => {
    for (const [stem, frequency] of weightedFrequencies(draft, sentences, averages)) {
      stems[count] = stem
      impacts[count++] = Math.max(1, Math.round(255 * saturation(frequency)))
    }
    return count
  })
  return { stems: stems.subarray(0, count), impacts, ends }
}

const countTokens = (sentences: DraftSentence[]): number =>
  sentences.reduce((sum, { tokens }) => sum + tokens.length, 0)

// BM25F: normalises each field's frequency by the field's length before adding the fields.
function weightedFrequencies(draft: SegmentDraft, sentences: DraftSentence[], averages: Averages): Map<number, number> {
  const counts = new Map<number, number>()
  const further = sentences.slice(LEADING_SENTENCES)
  const body = further.filter(({ end }) => end > 0).flatMap(({ tokens }) => tokens)
  // Distinct words only: a model repeating a word does not make it more important.
  const questions = [...new Set(further.filter(({ end }) => end === 0).flatMap(({ tokens }) => tokens))]
  const fields = [
    { tokens: sentences[0]?.tokens ?? [], weight: fieldWeights.title, average: averages.title },
    { tokens: sentences[1]?.tokens ?? [], weight: fieldWeights.headings, average: averages.headings },
    { tokens: body, weight: fieldWeights.body, average: averages.body },
    // Few and short, so their length is not significant.
    { tokens: questions, weight: fieldWeights.questions, average: stemsIn(draft, questions) || 1 },
  ]
  for (const { tokens, weight, average } of fields) {
    const norm = 1 - wordScoring.b + (wordScoring.b * stemsIn(draft, tokens)) / average
    for (const token of tokens) {
      const stem = draft.surfaceStems[token]!
      if (stem !== NO_STEM) counts.set(stem, (counts.get(stem) ?? 0) + weight / norm)
    }
  }
  return counts
}

function countGrams(draft: SegmentDraft): Pick<Segment, 'gramDocs' | 'gramLengths'> {
  const gramDocs = new Uint32Array(draft.gramKeys.length)
  const lastDoc = new Int32Array(draft.gramKeys.length).fill(-1)
  const gramLengths = new Uint32Array(draft.passages.length)
  draft.passages.forEach((passage, doc) => {
    for (const sentence of passage.sentences) {
      for (const token of sentence.tokens) {
        const grams = draft.surfaceGrams[token]!
        gramLengths[doc]! += grams.length
        for (const gram of grams) {
          if (lastDoc[gram] === doc) continue
          lastDoc[gram] = doc
          gramDocs[gram]!++
        }
      }
    }
  })
  return { gramDocs, gramLengths }
}

function invertStems({ stemKeys, surfaceStems }: SegmentDraft): Pick<Segment, 'stemSurfaceStart' | 'stemSurfaces'> {
  const stemSurfaceStart = new Uint32Array(stemKeys.length + 1)
  for (const stem of surfaceStems) if (stem !== NO_STEM) stemSurfaceStart[stem + 1]!++
  for (let stem = 0; stem < stemKeys.length; stem++) stemSurfaceStart[stem + 1]! += stemSurfaceStart[stem]!
  const next = stemSurfaceStart.slice()
  const stemSurfaces = new Uint32Array(stemSurfaceStart[stemKeys.length]!)
  surfaceStems.forEach((stem, surface) => {
    if (stem !== NO_STEM) stemSurfaces[next[stem]!++] = surface
  })
  return { stemSurfaceStart, stemSurfaces }
}

function invertGrams(draft: SegmentDraft): Pick<Segment, 'gramStart' | 'gramSurfaces'> {
  const gramStart = new Uint32Array(draft.gramKeys.length + 1)
  for (const grams of draft.surfaceGrams) for (const gram of grams) gramStart[gram + 1]!++
  for (let gram = 0; gram < draft.gramKeys.length; gram++) gramStart[gram + 1]! += gramStart[gram]!
  const next = gramStart.slice()
  const gramSurfaces = new Uint32Array(gramStart[draft.gramKeys.length]!)
  draft.surfaceGrams.forEach((grams, surface) => {
    for (const gram of grams) gramSurfaces[next[gram]!++] = surface
  })
  return { gramStart, gramSurfaces }
}

function freezeVectors({ dimensions, passages }: SegmentDraft): FrozenVectors {
  const passageCodes = new Int8Array(passages.length * dimensions)
  const passageScales = new Float32Array(dimensions > 0 ? passages.length : 0)
  passages.forEach(({ codes, scale }, p) => {
    if (dimensions === 0 || !codes) return
    passageCodes.set(codes, p * dimensions)
    passageScales[p] = scale ?? 0
  })
  return { dimensions, passageCodes, passageScales }
}
