// Formats an answer as an OpenAI chat completion, whole and in chunks.
import type { ChatCompletion, ChatResponse } from '@docent/contract'
import { sourceLinks } from '../../source-links.ts'

export interface CompletionHead {
  /** The bot's id. */
  model: string
  /** Unix seconds. */
  created: number
}

// Calls are counted, not tokens; some clients fail when usage is missing.
export const noUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

export function toCompletion({ model, created }: CompletionHead, answer: ChatResponse): ChatCompletion {
  const { response, sources } = answer
  const { text, annotations } = annotatedLinks(sources, response.length)
  const message = { role: 'assistant' as const, content: response + text, refusal: null, annotations }
  return {
    ...{ id: completionId(answer.message_id), object: 'chat.completion', created, model },
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: noUsage,
    ...docentFields(answer),
  }
}

export function completionId(messageId: string): string {
  return `chatcmpl-${messageId}`
}

/** Source links and their positions, when appended to a text of this length. */
export function annotatedLinks(sources: ChatResponse['sources'], startsAt: number) {
  const { text, ranges } = sourceLinks(sources, startsAt)
  const annotations = sources.map(({ title, url }, index) => {
    const { start = 0, end = 0 } = ranges[index] ?? {}
    return { type: 'url_citation' as const, url_citation: { title, url, start_index: start, end_index: end } }
  })
  return { text, annotations }
}

/** Fields that OpenAI does not have. */
export function docentFields({ response: _, ...fields }: ChatResponse) {
  return fields
}
