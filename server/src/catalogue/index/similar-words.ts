// What an unknown word may mean in a catalogue: kinds that are close in meaning ("couch" in a catalogue of sofas), and
// words that are spelt alike.
import type { Embedder } from '../../inference/types.ts'
import type { SimilarKind } from '../product.ts'
import { type ProductIndex, wordEdges } from './product-index.ts'

const MAX_KINDS = 200
// Synonyms are nearer than this, different kinds farther apart.
const NEAR = 0.5
// Weaker matches would only dilute the best one.
const BEHIND_NEAREST = 0.1

type SimilarKinds = (index: ProductIndex, phrase: string, modelTime: ModelTime) => Promise<SimilarKind[]>

/** The time that a question has for models, which all its uses of them share. */
export interface ModelTime {
  /** A text's vector; undefined if late. */
  embed(text: string): Promise<Float32Array | undefined>
  /** Undefined if late. */
  waitFor<T>(coming: Promise<T>): Promise<T | undefined>
}

export function makeSimilarKinds(embedder: Pick<Embedder, 'embed' | 'state'>): SimilarKinds {
  const learnt = new WeakMap<ProductIndex, Map<string, Float32Array>>()
  const learning = new WeakMap<ProductIndex, Promise<true>>()

  function vectorsOf(index: ProductIndex): Map<string, Float32Array> {
    const knownVectors = learnt.get(index) ?? new Map<string, Float32Array>()
    learnt.set(index, knownVectors)
    return knownVectors
  }

  /** Goes on for the next question if it takes longer than one can wait. */
  async function learn(index: ProductIndex, missingKinds: string[]): Promise<true> {
    // At lower priority than visitors' questions.
    const vectors = await embedder.embed(missingKinds, { urgent: false })
    const knownVectors = vectorsOf(index)
    for (const [at, kind] of missingKinds.entries()) {
      const vector = vectors[at]
      if (vector) knownVectors.set(kind, vector)
    }
    learning.delete(index)
    return true
  }

  return async (index, phrase, { embed, waitFor }) => {
    if (embedder.state.kind === 'absent') return []
    const kinds = index.kinds.slice(0, MAX_KINDS)
    const knownVectors = vectorsOf(index)
    const missingKinds = kinds.filter((kind) => !knownVectors.has(kind))
    if (missingKinds.length > 0) {
      const coming = learning.get(index) ?? learn(index, missingKinds)
      learning.set(index, coming)
      await waitFor(coming)
    }
    const vector = await embed(phrase)
    if (!vector) return []
    const near = kinds
      .map((kind) => ({ key: `kind:${kind}`, weight: cosine(vector, knownVectors.get(kind)) }))
      .filter(({ weight }) => weight >= NEAR)
      .sort((a, b) => b.weight - a.weight)
    return near.filter(({ weight }) => weight > (near[0]?.weight ?? 0) - BEHIND_NEAREST)
  }
}

function cosine(a: Float32Array, b: Float32Array | undefined): number {
  return b ? a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) : 0
}

// Catalogue words that an unknown word may mean: misspelt ("jaket"), or part of a compound ("Regenjacke").
const MOST = 4
const LONGEST_SLIP = 2

interface SimilarTerm {
  term: string
  weight: number
}

export function similarTerms({ spellings, postings }: ProductIndex, word: string): SimilarTerm[] {
  if (word.length < 4 || word.length > 30 || /\d/.test(word)) return []
  const similarity = new Map<string, number>()
  for (const edge of wordEdges(word)) {
    for (const term of spellings.get(edge) ?? []) {
      const weight = spellingWeight(word, term)
      if (weight > 0) similarity.set(term, weight)
    }
  }
  // The end of a compound names the thing: a Regenjacke is a Jacke.
  for (let start = 2; start <= word.length - 4; start++) {
    const end = word.slice(start)
    if (postings.has(end) && !similarity.has(end)) similarity.set(end, 0.75)
  }
  return [...similarity]
    .map(([term, weight]) => ({ term, weight }))
    .sort((a, b) => b.weight - a.weight || a.term.length - b.term.length)
    .slice(0, MOST)
}

function spellingWeight(word: string, term: string): number {
  const most = word.length >= 8 ? LONGEST_SLIP : 1
  const slips = Math.abs(word.length - term.length) <= most ? editDistance(word, term, most) : most + 1
  if (slips <= most) return slips === 1 ? 0.85 : 0.7
  if (word.length >= 5 && term.endsWith(word)) return 0.6
  return 0
}

/** Edit distance with swaps of neighbouring letters; above `most` it returns `most` + 1. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] ?? most + 1
}
