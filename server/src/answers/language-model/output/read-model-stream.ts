// Reads the SDK's stream until it ends, fails, is aborted or exceeds the limit.
import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import type { Deadline } from '../provider/deadline.ts'
import { cause, causeOf } from '../provider/failure.ts'
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
    if (reason !== null) return cause(reason)
    if ('error' in next) return causeOf(next.error)
    if (next.done) return cause('interrupted')
    const part = next.value
    if (part.type === 'error') return causeOf(part.error)
    if (part.type === 'finish') return finished(part.finishReason, part.totalUsage)
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') deadline.heard()
    if (part.type === 'text-delta' && onDelta(part.text) === 'too_long') return cause('too_long')
  }
}

function finished(reason: FinishReason, usage: LanguageModelUsage): FinishedStream | FailureCause {
  if (reason === 'content-filter') return cause('refused')
  if (reason === 'interrupted') return cause('interrupted')
  if (reason === 'error') return cause('broken_response')
  return { finish: reason === 'length' ? 'length' : 'stop', usage: reported(usage) }
}

/** Some servers omit usage, others report zeros. */
function reported({ inputTokens, outputTokens }: LanguageModelUsage): Usage | null {
  return inputTokens && outputTokens !== undefined ? { inputTokens, outputTokens, estimated: false } : null
}
