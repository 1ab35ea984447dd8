interface LogisticModel {
  bias: number
  weights: Record<string, number>
}

// Never claim certainty: no measurement supports a probability of 0 or 1.
export const LEAST = 0.01
const MOST = 0.99

export function probability({ bias, weights }: LogisticModel, values: Record<string, number>): number {
  let sum = bias
  for (const [name, weight] of Object.entries(weights)) sum += weight * (values[name] ?? 0)
  return Math.min(MOST, Math.max(LEAST, 1 / (1 + Math.exp(-sum))))
}

/** As it is reported. */
export function roundConfidence(confidence: number): number {
  return Math.round(confidence * 1000) / 1000
}
