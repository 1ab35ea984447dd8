// Prepares the model call. Loads the SDK first, so that timeouts do not include our import.

import type { LanguageModel, TextStreamPart, ToolSet } from 'ai'
import { retryAfterMs } from '../../retry-after.ts'
import type { ModelPrompt } from './prompt.ts'
import type { FailureCause, FailureReason, ModelProvider, ModelSettings, Usage } from './types.ts'

type AskModel = (prompt: ModelPrompt, signal: AbortSignal) => AsyncIterable<TextStreamPart<ToolSet>>

type Fetch = typeof globalThis.fetch

// The SDK recompiles its validators for each model it creates, 2.5 ms per answer. Keyed by identity: changed settings
// create a new model, and API keys never become map keys.
const models = new WeakMap<ModelProvider, { model: LanguageModel; fetch: Fetch }>()

export async function prepareModel(settings: ModelSettings, fetch: Fetch): Promise<AskModel> {
  const { streamText, jsonSchema } = await loadSdk()
  const model = await modelOf(settings.provider, fetch)
  return (prompt, abortSignal) => {
    const { stream } = streamText({
      model,
      instructions: prompt.system,
      messages: prompt.messages,
      maxOutputTokens: settings.maxOutputTokens,
      ...(prompt.tools
        ? {
            tools: Object.fromEntries(
              prompt.tools.map(({ name, description, inputs }) => [
                name,
                { description, inputSchema: jsonSchema(inputs) },
              ]),
            ),
            // Compatible servers may not know the field that it adds.
            providerOptions: { anthropic: { toolStreaming: false } },
          }
        : {}),
      ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
      abortSignal,
      // The composer can answer at once, so do not make visitors wait for a retry.
      maxRetries: 0,
      telemetry: { isEnabled: false },
      // Otherwise the SDK logs errors, including the prompt, to the console.
      onError: () => {},
    })
    return stream
  }
}

async function modelOf(provider: ModelProvider, fetch: Fetch): Promise<LanguageModel> {
  const cachedModel = models.get(provider)
  if (cachedModel?.fetch === fetch) return cachedModel.model
  const model = await makeModel(provider, providerFetch(fetch))
  models.set(provider, { model, fetch })
  return model
}

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'

async function loadSdk() {
  const sdk = await import('ai')
  // Otherwise the SDK logs warnings, e.g. about an unsupported temperature, to stderr on every call.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return sdk
}

/** Sets every option: the SDK reads missing ones from the environment, which would share a key across tenants. */
async function makeModel(provider: ModelProvider, fetch: Fetch): Promise<LanguageModel> {
  const { wrapLanguageModel, extractReasoningMiddleware } = await loadSdk()
  if (provider.kind === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const baseURL = provider.baseUrl ? endpointUrl(provider.baseUrl) : ANTHROPIC_URL
    return createAnthropic({ baseURL, apiKey: provider.apiKey, fetch })(provider.model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const baseURL = endpointUrl(provider.baseUrl)
  const openAi = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    fetch,
    includeUsage: true,
    ...(provider.apiKey ? { apiKey: provider.apiKey } : {}),
    ...(takesNewTokenLimit(baseURL) ? { transformRequestBody: withNewTokenLimit } : {}),
  })
  // Open models served without a reasoning parser include their reasoning in the text.
  const middleware = extractReasoningMiddleware({ tagName: 'think' })
  return wrapLanguageModel({ model: openAi.chatModel(provider.model), middleware })
}

/** Accepts URLs as people paste them: with or without `/v1` or the method's path. */
export function endpointUrl(baseUrl: string): string {
  const url = new URL(baseUrl.trim())
  const path = url.pathname.replace(/\/(chat\/completions|messages)\/?$/, '').replace(/\/+$/, '')
  return `${url.origin}${path || '/v1'}`
}

function takesNewTokenLimit(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return hostname === 'api.openai.com' || /\.(?:openai|services\.ai)\.azure\.com$/.test(hostname)
}

/** OpenAI's newer models reject `max_tokens`; other servers support nothing else. */
function withNewTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}

/** False if a call could only fail, or would expose a secret. */
export function isUsable(provider: ModelProvider): boolean {
  const { baseUrl, apiKey, model } = provider
  if (model.trim() === '' || (provider.kind === 'anthropic' && !apiKey)) return false
  // Fetch rejects header values with other characters, and includes the key in its error message.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) return false
  if (baseUrl === null) return provider.kind === 'anthropic'
  if (!URL.canParse(baseUrl)) return false
  const { protocol, username, password } = new URL(baseUrl)
  return /^https?:$/.test(protocol) && !username && !password && URL.canParse(endpointUrl(baseUrl))
}

type CutReason = 'aborted' | 'first_token_timeout' | 'timeout'

export interface Deadline {
  signal: AbortSignal
  reason(): CutReason | null
  /** The first token arrived; from now on only the total timeout applies. */
  onFirstToken(): void
  /** Ends the call and closes the connection. */
  stop(): void
}

export function startDeadline(firstTokenTimeoutMs: number, timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  let reason: CutReason | null = null
  const abort = (why: CutReason) => {
    if (controller.signal.aborted) return
    reason = why
    controller.abort()
  }
  const first = setTimeout(abort, firstTokenTimeoutMs, 'first_token_timeout')
  const whole = setTimeout(abort, timeoutMs, 'timeout')
  const onAbort = () => abort('aborted')
  if (outer?.aborted) onAbort()
  outer?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    reason: () => reason,
    onFirstToken: () => clearTimeout(first),
    stop() {
      clearTimeout(first)
      clearTimeout(whole)
      outer?.removeEventListener('abort', onAbort)
      controller.abort()
    },
  }
}

class ProviderFailure extends Error {
  readonly details: FailureCause

  constructor(details: FailureCause) {
    super(details.failed)
    this.name = 'ProviderFailure'
    this.details = details
  }
}

export function makeFailureCause(failed: FailureReason, more: Partial<FailureCause> = {}): FailureCause {
  return { status: null, code: null, retryAfterMs: null, ...more, failed }
}

function reasonOfStatus(status: number): FailureReason {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'provider_error' : 'bad_request'
}

export function toFailureCause(error: unknown): FailureCause {
  const ownError = ownFailure(error)
  if (ownError) return ownError.details
  const name = error instanceof Error ? error.name : ''
  // SDK errors for a stream that ends prematurely.
  if (name === 'AI_InvalidResponseDataError' || name === 'AI_NoOutputGeneratedError')
    return makeFailureCause('interrupted')
  if (name === 'AI_StreamProviderError' || name === 'AI_APICallError') return causeOfReportedError(error)
  return makeFailureCause('broken_response')
}

/** An error reported by the provider within a running stream. */
function causeOfReportedError(error: unknown): FailureCause {
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status !== 'number' || status < 400) return makeFailureCause('provider_error')
  return makeFailureCause(reasonOfStatus(status), { status })
}

function ownFailure(error: unknown): ProviderFailure | null {
  // The SDK wraps errors of the response body, in fewer than four levels.
  let current = error
  for (let level = 0; level < 4 && current instanceof Error; level++) {
    if (current instanceof ProviderFailure) return current
    current = current.cause
  }
  return null
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, estimated: false }

interface Price {
  inputPerMillionTokens: number
  outputPerMillionTokens: number
}

/** In the currency of the price. */
export function costOf(usage: Usage, price: Price): number {
  return (
    (usage.inputTokens * price.inputPerMillionTokens + usage.outputTokens * price.outputPerMillionTokens) / 1_000_000
  )
}

const ERROR_BODY_BYTES = 8_192
// Long reasoning at 300 bytes per event stays well below.
const STREAM_BYTES = 16 * 1024 * 1024
// Far above any legitimate event; the SDK's parser would buffer an endless line in memory.
const LINE_BYTES = 256 * 1024
const NEWLINE = 10
const CODE = /^[a-z][a-z_]{2,63}$/

/**
 * The fetch given to the SDK: rejects responses that are not event streams before the SDK reads them, limits their
 * size, and turns transport errors into failures without a message.
 */
function providerFetch(fetch: Fetch): Fetch {
  return async (url, init) => {
    // A redirect would send the key to another host, in a header that fetch does not strip.
    const response = await fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      if (init?.signal?.aborted) throw error
      throw new ProviderFailure(makeFailureCause('connection'))
    })
    if (!response.ok) throw new ProviderFailure(await readFailureCause(response))
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel().catch(() => {})
      throw new ProviderFailure(makeFailureCause('broken_response', { status: response.status }))
    }
    return new Response(limitBody(response.body, init?.signal), { headers: response.headers })
  }
}

async function readFailureCause(response: Response): Promise<FailureCause> {
  const body = await readErrorBody(response).catch(() => '')
  const { status, headers } = response
  const code = errorCode(body)
  // Dates are relative to the provider's own clock.
  const waitMs = retryAfterMs(headers.get('retry-after'), Date.parse(headers.get('date') ?? ''))
  return makeFailureCause(reasonOfBody(status, code, body), { status, code, retryAfterMs: waitMs })
}

// How providers word it, since their statuses differ: OpenRouter and Mistral give 400 for an unknown model, Gemini for a
// wrong key, Anthropic for an empty account. The text is only compared, never kept.
const UNKNOWN_MODEL =
  /model_not_found|invalid_model|not a valid model|(?:unknown|no such|invalid) model\b|\bmodels?\b[^.{}]{0,120}(?:not found|not exist|no longer available|is not supported|not loaded)/i
const NO_CREDIT = /insufficient_quota|insufficient (?:credit|balance|funds)|credit balance is too low|payment required/i
const WRONG_KEY = /api[_ -]key[_ -](?:invalid|not valid)|invalid[_ -]api[_ -]key|incorrect api key/i

function reasonOfBody(status: number, code: string | null, body: string): FailureReason {
  const text = `${code ?? ''} ${body}`
  if (status === 402 || NO_CREDIT.test(text)) return 'no_credit'
  if (status === 400 && WRONG_KEY.test(text)) return 'unauthorized'
  if ((status === 400 || status === 404) && UNKNOWN_MODEL.test(text)) return 'unknown_model'
  return reasonOfStatus(status)
}

async function readErrorBody(response: Response): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > ERROR_BODY_BYTES) return ''
  }
  return text
}

/** Accepts only a plain lower-case word, never the provider's text. */
function errorCode(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; type?: unknown } }
    const words = [error?.code, error?.type]
    return words.find((word): word is string => typeof word === 'string' && CODE.test(word)) ?? null
  } catch {
    return null
  }
}

function limitBody(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let total = 0
  let line = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        total += value.length
        const newline = value.lastIndexOf(NEWLINE)
        line = newline < 0 ? line + value.length : value.length - newline - 1
        if (total <= STREAM_BYTES && line <= LINE_BYTES) return controller.enqueue(value)
        controller.error(new ProviderFailure(makeFailureCause('too_long')))
        await reader.cancel()
      } catch (error) {
        controller.error(signal?.aborted ? error : new ProviderFailure(makeFailureCause('interrupted')))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
