import { fieldWeights, saturation, wordScoring } from '../../query/scoring.ts'
import { buildKeyTable } from '../key-table.ts'
import { type Averages, leadingSentences, noStem, type Segment } from '../segment.ts'
import type { DraftSentence, FrozenVectors, SegmentDraft } from './segment-draft.ts'

/** Compiles a draft. A small segment uses the averages of the large one it belongs to. */
export function freezeSegment(draft: SegmentDraft, given?: Averages): Segment {
  const stream = freezeStream(draft)
  const counts = countGrams(draft)
  const averages = given ?? averagesOf(draft, counts.gramLengths)
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
  tokens.reduce((count, token) => count + (draft.surfaceStems[token] === noStem ? 0 : 1), 0)

function freezePostings(
  draft: SegmentDraft,
  averages: Averages,
): Pick<Segment, 'postingStart' | 'postingDocs' | 'postingImpacts'> {
  const stems = draft.stemKeys.length
  // Passage by passage: maps for all passages at once would take ten times the memory.
  const found = postingsByPassage(draft, averages)
  const postingStart = new Uint32Array(stems + 1)
  for (const stem of found.stems) postingStart[stem + 1]!++
  for (let stem = 0; stem < stems; stem++) postingStart[stem + 1]! += postingStart[stem]!
  const next = postingStart.slice()
  const postingDocs = new Uint32Array(found.stems.length)
  const postingImpacts = new Uint8Array(found.stems.length)
  let from = 0
  found.ends.forEach((end, doc) => {
    for (; from < end; from++) {
      const at = next[found.stems[from]!]!++
      postingDocs[at] = doc
      postingImpacts[at] = found.impacts[from]!
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
  const found = new Map<number, number>()
  const further = sentences.slice(leadingSentences)
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
      if (stem !== noStem) found.set(stem, (found.get(stem) ?? 0) + weight / norm)
    }
  }
  return found
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
  for (const stem of surfaceStems) if (stem !== noStem) stemSurfaceStart[stem + 1]!++
  for (let stem = 0; stem < stemKeys.length; stem++) stemSurfaceStart[stem + 1]! += stemSurfaceStart[stem]!
  const next = stemSurfaceStart.slice()
  const stemSurfaces = new Uint32Array(stemSurfaceStart[stemKeys.length]!)
  surfaceStems.forEach((stem, surface) => {
    if (stem !== noStem) stemSurfaces[next[stem]!++] = surface
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
