import type { ModelProvider } from '../types.ts'
import { endpointUrl } from './load-sdk.ts'

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
