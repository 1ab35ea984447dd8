// What fits into the prompt, counted without a tokenizer: every provider has another one, and a budget needs no more.
import type { ModelPassage, ModelTurn } from './types.ts'

// English runs at about 4 bytes a token, Chinese and Japanese at about 3, Cyrillic at about 4: a little on the safe side.
export const BYTES_PER_TOKEN = 3.5
// A shorter rest of a passage is more likely to mislead than to help.
const LEAST_REST_TOKENS = 60

export function approximateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
}

/** The best passages, in their order; the last one may be shortened. The first always takes part. */
export function fitPassages(passages: readonly ModelPassage[], budgetTokens: number): ModelPassage[] {
  const fitting: ModelPassage[] = []
  let left = budgetTokens
  for (const passage of passages) {
    const size = approximateTokens(passage.title) + approximateTokens(passage.text)
    if (size > left) {
      const rest = left - approximateTokens(passage.title)
      if (fitting.length === 0 || rest >= LEAST_REST_TOKENS) {
        fitting.push({ ...passage, text: shorten(passage.text, Math.max(rest, LEAST_REST_TOKENS)) })
      }
      break
    }
    fitting.push(passage)
    left -= size
  }
  return fitting
}

/** The newest exchanges that fit, whole: a question is never parted from its reply. */
export function fitHistory(history: readonly ModelTurn[], budgetTokens: number): ModelTurn[] {
  let kept: ModelTurn[] = []
  let left = budgetTokens
  for (const exchange of exchangesOf(history).reverse()) {
    const size = exchange.reduce((sum, turn) => sum + approximateTokens(turn.text), 0)
    if (size > left) break
    kept = [...exchange, ...kept]
    left -= size
  }
  return kept
}

/** Each starts with a visitor's turn; a greeting before the first one belongs to none and is left out. */
function exchangesOf(history: readonly ModelTurn[]): ModelTurn[][] {
  const exchanges: ModelTurn[][] = []
  for (const turn of history) {
    if (turn.role === 'user') exchanges.push([turn])
    else exchanges.at(-1)?.push(turn)
  }
  return exchanges
}

function shorten(text: string, budgetTokens: number): string {
  const bytes = Buffer.from(text).subarray(0, Math.floor(budgetTokens * BYTES_PER_TOKEN))
  const cut = bytes.toString().replace(/\uFFFD+$/, '')
  const lastSpace = cut.lastIndexOf(' ')
  // Languages without spaces are cut where the budget ends.
  return `${lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut} …`
}
