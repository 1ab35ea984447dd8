/** The few nearest phrasings of each answer. */
export class TopPerAnswer {
  readonly #depth: number
  readonly #values: Float32Array
  readonly #phrasings: Int32Array

  constructor(answers: number, depth: number) {
    this.#depth = depth
    this.#values = new Float32Array(answers * depth)
    this.#phrasings = new Int32Array(answers * depth).fill(-1)
  }

  add(answer: number, phrasing: number, value: number): void {
    const first = answer * this.#depth
    let at = first + this.#depth - 1
    if (value <= this.#values[at]! && this.#phrasings[at] !== -1) return
    for (; at > first && (this.#phrasings[at - 1] === -1 || this.#values[at - 1]! < value); at--) {
      this.#values[at] = this.#values[at - 1]!
      this.#phrasings[at] = this.#phrasings[at - 1]!
    }
    this.#values[at] = value
    this.#phrasings[at] = phrasing
  }

  /** The mean of the nearest; an answer with fewer phrasings than that is not punished for it. */
  mean(answer: number, phrasings: number): number {
    const count = Math.min(this.#depth, phrasings)
    let sum = 0
    for (let i = 0; i < count; i++) sum += this.#values[answer * this.#depth + i]!
    return count === 0 ? 0 : sum / count
  }

  best(answer: number): number {
    return this.#phrasings[answer * this.#depth]!
  }
}
