// The call itself. The SDK is loaded first, so that the time-outs count the provider and not our import.
import type { LanguageModel, TextStreamPart, ToolSet } from 'ai'
import type { ModelPrompt } from '../prompt.ts'
import type { ModelProvider, ModelSettings } from '../types.ts'
import { createModel, loadSdk } from './load-sdk.ts'
import { providerFetch } from './provider-fetch.ts'

export type AskModel = (prompt: ModelPrompt, signal: AbortSignal) => AsyncIterable<TextStreamPart<ToolSet>>

type Fetch = typeof globalThis.fetch

// The SDK compiles its validators anew for each model it makes, 2.5 ms an answer. By identity, so that changed
// settings are another model and no key is ever a map's key.
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
      // The composer answers at once; a visitor does not wait for a second try.
      maxRetries: 0,
      telemetry: { isEnabled: false },
      // Without this the SDK prints errors, prompt and all, to the console.
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
