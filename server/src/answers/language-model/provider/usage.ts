import type { Usage } from '../types.ts'

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, estimated: false }

export interface Price {
  inputPerMillionTokens: number
  outputPerMillionTokens: number
}

/** In the currency of the price. */
export function costOf(usage: Usage, price: Price): number {
  return (
    (usage.inputTokens * price.inputPerMillionTokens + usage.outputTokens * price.outputPerMillionTokens) / 1_000_000
  )
}
