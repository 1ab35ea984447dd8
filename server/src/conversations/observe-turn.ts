// Counts turns and their outcomes for the operator.
import { Fault } from '@docent/contract'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Trace } from '../telemetry/trace.ts'
import type { SendMessage, SentMessage } from './send-message.ts'

interface Deps {
  metrics: Pick<Metrics, 'count' | 'observeSeconds'>
  trace: Trace
}

export function createObserveTurns({ metrics, trace }: Deps): (send: SendMessage) => SendMessage {
  return (send) => (bot, message, complete, listener) => {
    const { channel } = message
    const begun = performance.now()
    return trace('turn', { 'docent.bot_id': bot.id, 'docent.channel': channel }, async (span) => {
      let outcome: string | undefined
      try {
        const sent = await send(bot, message, complete, listener)
        outcome = outcomeOf(sent)
        span.set({ 'docent.conversation_id': sent.conversationId, 'docent.confidence': sent.confidence })
        return sent
      } catch (error) {
        // The caller's mistakes are not failed turns.
        if (!(error instanceof Fault && error.status < 500)) outcome = 'failed'
        throw error
      } finally {
        if (outcome) {
          span.set({ 'docent.outcome': outcome })
          metrics.count('docent_turns_total', { channel, outcome })
          metrics.observeSeconds('docent_turn_seconds', { channel }, (performance.now() - begun) / 1000)
        }
      }
    })
  }
}

function outcomeOf({ answered, asksNothing, decision }: SentMessage): string {
  if (decision === 'person') return 'person'
  if (asksNothing) return 'small_talk'
  if (!answered) return 'fallback'
  return decision === 'suggest' ? 'suggested' : 'answered'
}
