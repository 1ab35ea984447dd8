// Reads the SDK's stream until it ends, fails, is aborted or exceeds the limit.
import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import type { Deadline } from '../provider/deadline.ts'
import { createFailureCause, toFailureCause } from '../provider/failure.ts'
import type { FailureCause, Usage } from '../types.ts'

export interface FinishedStream {
  finish: 'stop' | 'length'
  /** `null` if the provider did not report it. */
  usage: Usage | null
}

export async function readModelStream(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  deadline: Deadline,
  onDelta: (delta: string) => 'go_on' | 'too_long',
): Promise<FinishedStream | FailureCause> {
  // Iterates manually: leaving a `for await` early would wait for the provider. The signal ends the call instead, and
  // the SDK obeys it even if the given fetch does not.
  const parts = stream[Symbol.asyncIterator]()
  while (true) {
    const next = await parts.next().catch((error: unknown) => ({ error }))
    const reason = deadline.reason()
    if (reason !== null) return createFailureCause(reason)
    if ('error' in next) return toFailureCause(next.error)
    if (next.done) return createFailureCause('interrupted')
    const part = next.value
    if (part.type === 'error') return toFailureCause(part.error)
    if (part.type === 'finish') return toFinishedStream(part.finishReason, part.totalUsage)
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') deadline.onFirstToken()
    if (part.type === 'text-delta' && onDelta(part.text) === 'too_long') return createFailureCause('too_long')
  }
}

function toFinishedStream(reason: FinishReason, usage: LanguageModelUsage): FinishedStream | FailureCause {
  if (reason === 'content-filter') return createFailureCause('refused')
  if (reason === 'interrupted') return createFailureCause('interrupted')
  if (reason === 'error') return createFailureCause('broken_response')
  return { finish: reason === 'length' ? 'length' : 'stop', usage: toUsage(usage) }
}

/** Some servers omit usage, others report zeros. */
function toUsage({ inputTokens, outputTokens }: LanguageModelUsage): Usage | null {
  return inputTokens && outputTokens !== undefined ? { inputTokens, outputTokens, estimated: false } : null
}
