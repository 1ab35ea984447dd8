// Base URLs of common providers, so that users can choose a name instead.
import type { LanguageModel } from '@docent/contract'

interface Preset {
  label: string
  provider: LanguageModel['provider']
  baseUrl: string
  /** An example. */
  model: string
  needsKey: boolean
}

const openai = { provider: 'openai_compatible', needsKey: true } as const
const own = { provider: 'openai_compatible', needsKey: false } as const

export const presets = {
  ollama: { ...own, label: 'Ollama', baseUrl: 'http://localhost:11434/v1', model: 'llama3.1:8b' },
  openai: { ...openai, label: 'OpenAI', baseUrl: 'https://api.openai.com/v1', model: 'gpt-4o-mini' },
  anthropic: {
    ...{ label: 'Anthropic', provider: 'anthropic', baseUrl: '', model: 'claude-3-5-haiku-latest', needsKey: true },
  },
  mistral: { ...openai, label: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', model: 'mistral-small-latest' },
  groq: { ...openai, label: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', model: 'llama-3.1-8b-instant' },
  vllm: { ...own, label: 'vLLM', baseUrl: 'http://localhost:8000/v1', model: 'meta-llama/Llama-3.1-8B-Instruct' },
  lmstudio: { ...own, label: 'LM Studio', baseUrl: 'http://localhost:1234/v1', model: 'qwen2.5-7b-instruct' },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets | 'custom'

export function presetOf(set: Pick<LanguageModel, 'provider' | 'base_url'>): PresetName {
  const found = Object.entries(presets).find(
    ([, { provider, baseUrl }]) => provider === set.provider && baseUrl === (set.base_url ?? ''),
  )
  return (found?.[0] as PresetName | undefined) ?? 'custom'
}
