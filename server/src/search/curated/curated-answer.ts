/** An answer written by a person, with the ways visitors ask for it. */
export interface CuratedAnswer {
  id: string
  question: string
  alternatives: string[]
  language: string
  /** Unit vectors of the question and its alternatives, in that order; undefined where missing. */
  vectors?: (Float32Array | undefined)[]
}
