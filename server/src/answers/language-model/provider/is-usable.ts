import type { ModelProvider } from '../types.ts'
import { endpoint } from './load-sdk.ts'

/** False when a call could only fail, or would put a secret where it can be seen. */
export function isUsable(provider: ModelProvider): boolean {
  const { baseUrl, apiKey, model } = provider
  if (model.trim() === '' || (provider.kind === 'anthropic' && !apiKey)) return false
  // A header value with other characters is thrown out by fetch with the key in the message.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) return false
  if (baseUrl === null) return provider.kind === 'anthropic'
  if (!URL.canParse(baseUrl)) return false
  const { protocol, username, password } = new URL(baseUrl)
  return /^https?:$/.test(protocol) && !username && !password && URL.canParse(endpoint(baseUrl))
}
