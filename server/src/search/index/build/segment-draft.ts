import type { Token } from '../../../language/analyse.ts'
import { quantise } from '../../vectors/quantise.ts'
import { hash53 } from '../hash.ts'
import { noStem, type Segment } from '../segment.ts'

/** A sentence of a draft: numbers of the draft's words. */
export interface DraftSentence {
  start: number
  end: number
  tokens: number[]
}

export interface DraftPassage {
  id: string
  sentences: DraftSentence[]
  codes?: Int8Array
  scale?: number
}

/** A segment under construction, filled from texts or from other segments. */
export class SegmentDraft {
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
    const known = this.#surfaces.get(key)
    if (known !== undefined) return known
    const surface = this.surfaceKeys.push(key) - 1
    this.#surfaces.set(key, surface)
    this.surfaceStems.push(stemKey === undefined ? noStem : numberOf(this.#stems, this.stemKeys, stemKey))
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

export type FrozenVectors = Pick<Segment, 'dimensions' | 'passageCodes' | 'passageScales'>
