// Prepares the model call. Loads the SDK first, so that timeouts do not include our import.
import type { LanguageModel, TextStreamPart, ToolSet } from 'ai'
import type { ModelPrompt } from '../prompt.ts'
import type { ModelProvider, ModelSettings } from '../types.ts'
import { createModel, loadSdk } from './load-sdk.ts'
import { providerFetch } from './provider-fetch.ts'

export type AskModel = (prompt: ModelPrompt, signal: AbortSignal) => AsyncIterable<TextStreamPart<ToolSet>>

type Fetch = typeof globalThis.fetch

// The SDK recompiles its validators for each model it creates, 2.5 ms per answer. Keyed by identity: changed settings
// create a new model, and API keys never become map keys.
const models = new WeakMap<ModelProvider, { model: LanguageModel; fetch: Fetch }>()

export async function prepareModel(settings: ModelSettings, fetch: Fetch): Promise<AskModel> {
  const { streamText } = await loadSdk()
  const model = await modelOf(settings.provider, fetch)
  return (prompt, abortSignal) => {
    const { stream } = streamText({
      model,
      instructions: prompt.system,
      messages: prompt.messages,
      maxOutputTokens: settings.maxOutputTokens,
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
  const made = models.get(provider)
  if (made?.fetch === fetch) return made.model
  const model = await createModel(provider, providerFetch(fetch))
  models.set(provider, { model, fetch })
  return model
}
