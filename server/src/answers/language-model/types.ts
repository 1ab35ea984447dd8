// What the language-model room is handed and what it gives back. It knows no database, no environment and no clock.
/** Handed in as the same object for each answer, it spares making the model again. */
export type ModelProvider =
  | Readonly<{ kind: 'openai_compatible'; baseUrl: string; apiKey: string | null; model: string }>
  | Readonly<{ kind: 'anthropic'; baseUrl: string | null; apiKey: string; model: string }>

export interface ModelSettings {
  provider: ModelProvider
  maxOutputTokens: number
  /** `null` leaves it to the provider: some models refuse a temperature. */
  temperature: number | null
  firstTokenTimeoutMs: number
  timeoutMs: number
  /** `required`: nothing is shown before the first citation, and an answer without one is a failure. */
  citations: 'required' | 'optional'
  /** Persona and wishes of the company. */
  instructions: string | null
  historyTokens: number
  passageTokens: number
  /** An answer longer than this is cut off and counts as a failure. */
  maxCharacters: number
}

export const defaultModelSettings = {
  maxOutputTokens: 800,
  temperature: 0.2,
  firstTokenTimeoutMs: 15_000,
  timeoutMs: 60_000,
  citations: 'required',
  instructions: null,
  historyTokens: 1_500,
  passageTokens: 4_000,
  maxCharacters: 8_000,
} as const satisfies Omit<ModelSettings, 'provider'>

export interface ModelPassage {
  title: string
  text: string
  url: string | null
}

export interface ModelTurn {
  role: 'user' | 'assistant'
  text: string
}

export interface ModelQuestion {
  question: string
  /** The visitor's language as a BCP 47 code; `null` means the language of the question. */
  language: string | null
  history: readonly ModelTurn[]
  /** Best first. */
  passages: readonly ModelPassage[]
  bot: { name: string; tone: string | null }
  settings: ModelSettings
}

export interface ModelDeps {
  fetch: typeof globalThis.fetch
  onText?: (delta: string) => void
  signal?: AbortSignal
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  /** True when the provider did not say and the figures are counted from the text. */
  estimated: boolean
}

export interface ModelAnswer {
  /** Equal to all deltas put together. */
  text: string
  /** Citation numbers in order of first use: number n is `passages[n - 1]`. */
  usedPassages: number[]
  answered: boolean
  usage: Usage
  /** `length`: the provider stopped at `maxOutputTokens`, so the text ends early, with an ellipsis. */
  finish: 'stop' | 'length' | 'not_asked'
}

export type FailureReason =
  | 'misconfigured'
  /** It was not asked: so many calls a day are allowed. */
  | 'daily_limit'
  /** The SDK could not be loaded, or threw. */
  | 'unavailable'
  | 'aborted'
  | 'first_token_timeout'
  | 'timeout'
  | 'connection'
  | 'unauthorized'
  | 'not_found'
  | 'rate_limited'
  | 'bad_request'
  | 'provider_error'
  | 'broken_response'
  | 'interrupted'
  | 'too_long'
  | 'refused'
  | 'empty'
  | 'not_grounded'
  /** Not in the form that was asked for. */
  | 'malformed'

/** Carries no provider message: those echo keys and visitors' words. */
export interface FailureCause {
  failed: FailureReason
  status: number | null
  /** The provider's own machine-readable word, as `model_not_found`. */
  code: string | null
  retryAfterMs: number | null
}

export interface ModelFailure extends FailureCause {
  /** True when `text` was already shown through `onText`. */
  partial: boolean
  text: string
  usedPassages: number[]
  usage: Usage
}
