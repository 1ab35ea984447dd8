/** The similarity of each answer's few nearest phrasings. */
export class TopPerAnswer {
  readonly #depth: number
  readonly #values: Float32Array

  constructor(answers: number, depth: number) {
    this.#depth = depth
    this.#values = new Float32Array(answers * depth).fill(Number.NEGATIVE_INFINITY)
  }

  add(answer: number, value: number): void {
    const first = answer * this.#depth
    let at = first + this.#depth - 1
    if (value <= this.#values[at]!) return
    for (; at > first && this.#values[at - 1]! < value; at--) this.#values[at] = this.#values[at - 1]!
    this.#values[at] = value
  }

  /** The mean of the nearest; answers with fewer phrasings are not penalised. */
  mean(answer: number, phrasings: number): number {
    const count = Math.min(this.#depth, phrasings)
    const first = answer * this.#depth
    let sum = 0
    for (const value of this.#values.subarray(first, first + count))
      if (value !== Number.NEGATIVE_INFINITY) sum += value
    return count === 0 ? 0 : sum / count
  }
}
