// Logs failed language model calls and counts all of them. Never logs texts or keys.
import type { Metrics } from '../../telemetry/metrics.ts'
import type { ModelCall } from './answer-generator.ts'

interface Deps {
  warn: (fields: object, message: string) => void
  metrics: Pick<Metrics, 'count' | 'observeSeconds'>
}

export function createObserveModelCall({ warn, metrics }: Deps): (call: ModelCall) => void {
  return ({ botId, outcome, usage, durationMs, failure }) => {
    metrics.count('docent_model_calls_total', { outcome })
    metrics.count('docent_model_tokens_total', { direction: 'input' }, usage.inputTokens)
    metrics.count('docent_model_tokens_total', { direction: 'output' }, usage.outputTokens)
    metrics.observeSeconds('docent_model_seconds', { outcome }, durationMs / 1000)
    if (failure) warn({ bot: botId, ms: Math.round(durationMs), ...failure }, 'the language model gave no answer')
  }
}
