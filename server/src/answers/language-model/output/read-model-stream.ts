// The SDK's stream of parts, read until it is done, fails, is cut off or has said enough.
import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import type { Deadline } from '../provider/deadline.ts'
import { cause, causeOf } from '../provider/failure.ts'
import type { FailureCause, Usage } from '../types.ts'

export interface FinishedStream {
  finish: 'stop' | 'length'
  /** `null` when the provider did not say. */
  usage: Usage | null
}

export async function readModelStream(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  deadline: Deadline,
  onDelta: (delta: string) => 'go_on' | 'too_long',
): Promise<FinishedStream | FailureCause> {
  // By hand: `for await` would wait for the provider to agree when we leave early. The signal ends the call instead,
  // and the SDK obeys it even when the fetch handed in does not.
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

/** Some servers leave usage out, others fill it with zeros. */
function reported({ inputTokens, outputTokens }: LanguageModelUsage): Usage | null {
  return inputTokens && outputTokens !== undefined ? { inputTokens, outputTokens, estimated: false } : null
}
