export interface LogisticModel {
  bias: number
  weights: Record<string, number>
}

// Never claim certainty: no measurement supports a probability of 0 or 1.
const least = 0.01
const most = 0.99

export function probability({ bias, weights }: LogisticModel, values: Record<string, number>): number {
  let sum = bias
  for (const [name, weight] of Object.entries(weights)) sum += weight * (values[name] ?? 0)
  return Math.min(most, Math.max(least, 1 / (1 + Math.exp(-sum))))
}
