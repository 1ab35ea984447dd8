// Input and output of the language-model module, which is independent of database, environment and clock.
/** Pass the same object for each answer to reuse the model. */
export type ModelProvider =
  | Readonly<{ kind: 'openai_compatible'; baseUrl: string; apiKey: string | null; model: string }>
  | Readonly<{ kind: 'anthropic'; baseUrl: string | null; apiKey: string; model: string }>

export interface ModelSettings {
  provider: ModelProvider
  maxOutputTokens: number
  /** `null` uses the provider's default: some models reject a temperature. */
  temperature: number | null
  firstTokenTimeoutMs: number
  timeoutMs: number
  /** `required`: nothing is shown before the first citation, and an answer without one fails. */
  citations: 'required' | 'optional'
  /** The company's persona and preferences. */
  instructions: string | null
  historyTokens: number
  passageTokens: number
  /** Longer answers are cut off and count as a failure. */
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
  /** True if estimated from the text because the provider did not report it. */
  estimated: boolean
}

export interface ModelAnswer {
  /** The concatenation of all deltas. */
  text: string
  /** Citation numbers in order of first use: number n is `passages[n - 1]`. */
  usedPassages: number[]
  answered: boolean
  usage: Usage
  /** `length`: cut off at `maxOutputTokens`, so the text ends with an ellipsis. */
  finish: 'stop' | 'length' | 'not_asked'
}

export type FailureReason =
  | 'misconfigured'
  /** Not called: the daily limit is reached. */
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
  /** Not in the requested form. */
  | 'malformed'

/** Never includes provider messages, which echo keys and visitors' words. */
export interface FailureCause {
  failed: FailureReason
  status: number | null
  /** The provider's machine-readable code, e.g. `model_not_found`. */
  code: string | null
  retryAfterMs: number | null
}

export interface ModelFailure extends FailureCause {
  /** True if `text` was already streamed through `onText`. */
  partial: boolean
  text: string
  usedPassages: number[]
  usage: Usage
}
