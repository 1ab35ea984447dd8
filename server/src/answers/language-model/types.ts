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
  /** How long a search waits for the question to be restated. */
  restateTimeoutMs: number
  /** `required`: nothing is shown before the first citation, and an answer without one fails. */
  citations: 'required' | 'optional'
  /** The company's persona and preferences. */
  instructions: string | null
  historyTokens: number
  /** For passages and products. */
  contextTokens: number
  /** Longer answers are cut off and count as a failure. */
  maxCharacters: number
}

export const defaultModelSettings = {
  maxOutputTokens: 800,
  temperature: 0.2,
  firstTokenTimeoutMs: 15_000,
  timeoutMs: 60_000,
  restateTimeoutMs: 2_500,
  citations: 'required',
  instructions: null,
  historyTokens: 1_500,
  contextTokens: 4_000,
  maxCharacters: 8_000,
} as const satisfies Omit<ModelSettings, 'provider'>

export interface ModelPassage {
  title: string
  text: string
  url: string | null
  /** When the page was last changed, as YYYY-MM-DD. */
  date?: string
}

export interface ModelProduct {
  title: string
  /** Price, availability, attributes and the beginning of the description, one fact per line. */
  facts: string
  url: string | null
}

export interface ModelTurn {
  role: 'user' | 'assistant'
  text: string
}

/** Something that the model can have done for the visitor, instead of an answer. */
export interface ModelTool {
  /** Letters, digits and underscores. */
  name: string
  description: string
  /** JSON Schema of an object. */
  inputs: Record<string, unknown>
}

/** What the model chose; its inputs are not checked. */
export interface ModelToolCall {
  name: string
  inputs: Record<string, unknown>
}

export interface ModelQuestion {
  question: string
  /** The visitor's language as a BCP 47 code; `null` means the language of the question. */
  language: string | null
  history: readonly ModelTurn[]
  /** Best first. */
  passages: readonly ModelPassage[]
  /** Best first. */
  products: readonly ModelProduct[]
  tools?: readonly ModelTool[]
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

/** What the model did with the question. */
export type ModelOutcome = 'answered' | 'partly' | 'not_found'

export interface ModelAnswer {
  /** The concatenation of all deltas. */
  text: string
  /** Citation numbers in order of first use: number n is `passages[n - 1]`. */
  usedPassages: number[]
  /** Products to show, likewise. */
  usedProducts: number[]
  outcome: ModelOutcome
  /** Whether the model reported the outcome itself; otherwise it follows from the citations. */
  isReported: boolean
  /** The first one, if the model chose a tool; `text` is what it wrote before. */
  call?: ModelToolCall
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
  | 'unknown_model'
  /** The provider's account has no credit left. */
  | 'no_credit'
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
