// What fits into the prompt, estimated without a tokenizer, as every provider has its own.
import type { ModelPassage, ModelProduct, ModelTurn } from './types.ts'

// English has about 4 bytes per token, Chinese and Japanese about 3, Cyrillic about 4; errs on the safe side.
export const BYTES_PER_TOKEN = 3.5
// A shorter remainder of a passage is more likely to mislead than to help.
const MIN_REST_TOKENS = 60

export function approximateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
}

/** The best passages, in order; the last may be truncated. Includes the first, if there is one. */
export function fitPassages(passages: readonly ModelPassage[], budgetTokens: number): ModelPassage[] {
  const fittingPassages: ModelPassage[] = []
  let remainingTokens = budgetTokens
  for (const passage of passages) {
    const size = approximateTokens(passage.title) + approximateTokens(passage.text)
    if (size > remainingTokens) {
      const rest = remainingTokens - approximateTokens(passage.title)
      if (fittingPassages.length === 0 || rest >= MIN_REST_TOKENS) {
        fittingPassages.push({ ...passage, text: shorten(passage.text, Math.max(rest, MIN_REST_TOKENS)) })
      }
      break
    }
    fittingPassages.push(passage)
    remainingTokens -= size
  }
  return fittingPassages
}

// Products are short; passages must not be crowded out by them.
const PRODUCT_SHARE = 0.4

/** The best passages and products that fit together. */
export function fitContext(
  { passages, products }: { passages: readonly ModelPassage[]; products: readonly ModelProduct[] },
  budgetTokens: number,
): { passages: ModelPassage[]; products: ModelProduct[] } {
  const forProducts = passages.length === 0 ? budgetTokens : budgetTokens * PRODUCT_SHARE
  const fittingProducts: ModelProduct[] = []
  let usedTokens = 0
  for (const product of products) {
    const size = approximateTokens(product.title) + approximateTokens(product.facts)
    if (usedTokens + size > forProducts) break
    fittingProducts.push(product)
    usedTokens += size
  }
  return { passages: fitPassages(passages, budgetTokens - usedTokens), products: fittingProducts }
}

/** The newest complete exchanges that fit: a question is never separated from its reply. */
export function fitHistory(history: readonly ModelTurn[], budgetTokens: number): ModelTurn[] {
  let recentTurns: ModelTurn[] = []
  let remainingTokens = budgetTokens
  for (const exchange of exchangesOf(history).reverse()) {
    const size = exchange.reduce((sum, turn) => sum + approximateTokens(turn.text), 0)
    if (size > remainingTokens) break
    recentTurns = [...exchange, ...recentTurns]
    remainingTokens -= size
  }
  return recentTurns
}

/** Each starts with a visitor's turn; a greeting before the first one is dropped. */
function exchangesOf(history: readonly ModelTurn[]): ModelTurn[][] {
  const exchanges: ModelTurn[][] = []
  for (const turn of history) {
    if (turn.role === 'user') exchanges.push([turn])
    else exchanges.at(-1)?.push(turn)
  }
  return exchanges
}

/** Cut at the budget; what fits stays as it is. */
export function shorten(text: string, budgetTokens: number): string {
  if (approximateTokens(text) <= budgetTokens) return text

  const bytes = Buffer.from(text).subarray(0, Math.floor(budgetTokens * BYTES_PER_TOKEN))
  const prefix = bytes.toString().replace(/\uFFFD+$/, '')
  const lastSpace = prefix.lastIndexOf(' ')
  // Without spaces, cut exactly at the budget.
  return `${lastSpace > prefix.length / 2 ? prefix.slice(0, lastSpace) : prefix} …`
}
