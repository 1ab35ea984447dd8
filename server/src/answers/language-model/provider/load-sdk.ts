// The AI SDK takes about 30 MB of memory and up to a second to import, so load it on first use.
import type { LanguageModel } from 'ai'
import type { ModelProvider } from '../types.ts'

type Fetch = typeof globalThis.fetch

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'

export async function loadSdk() {
  const sdk = await import('ai')
  // Otherwise the SDK logs warnings, e.g. about an unsupported temperature, to stderr on every call.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return sdk
}

/** Sets every option: the SDK reads missing ones from the environment, which would share a key across tenants. */
export async function createModel(provider: ModelProvider, fetch: Fetch): Promise<LanguageModel> {
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
    ...(new URL(baseURL).hostname === 'api.openai.com' ? { transformRequestBody: withNewTokenLimit } : {}),
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

/** OpenAI's newer models reject `max_tokens`; other servers support nothing else. */
function withNewTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}
