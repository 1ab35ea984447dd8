// Server-sent events: those of a streamed answer, and live ones of conversations.
import type { ChatResponse } from '@docent/contract'
import { DocentConnectionError, DocentError } from './errors.ts'

export type ChatEvent =
  | { type: 'start'; session_id: string; message_id: string }
  | { type: 'delta'; text: string }
  | ({ type: 'done' } & ChatResponse)

export async function* chatEvents(response: Response, url: string): AsyncGenerator<ChatEvent, void> {
  for await (const { name, data } of serverSentEvents(response)) {
    const value = JSON.parse(data)
    if (name === 'error') throw new DocentError({ ...value, requestId: value.request_id })
    // Ignore event types added by later versions.
    if (name === 'start' || name === 'delta' || name === 'done') yield { ...value, type: name }
    if (name === 'done') return
  }
  // A proxy may end the response properly: without `done` the answer is not whole.
  throw new DocentConnectionError('The connection ended before the answer did.', url)
}

async function* serverSentEvents(response: Response): AsyncGenerator<{ name: string; data: string }, void> {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value = '' } = await reader.read()
      if (done) return
      // A trailing carriage return may be half of a line break.
      const blocks = (rest + value).replaceAll(/\r\n|\r(?!$)/g, '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield readBlock(block)
    }
  } finally {
    // When the consumer stops listening, end the request.
    await reader.cancel()
  }
}

function readBlock(block: string): { name: string; data: string } {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  return { name: field('event').at(-1) ?? 'message', data: field('data').join('\n') || 'null' }
}

interface Subject {
  bot_id: string
  conversation_id: string
}

export type InboxEvent =
  | (Subject & { type: 'conversation'; kind: 'message' | 'handover' | 'rating' | 'lead' | 'note' | 'change' })
  | (Subject & { type: 'typing'; by: 'visitor' | 'agent' })
  | (Subject & { type: 'seen'; by: 'visitor' | 'agent'; until: string })
  /** First, then every 25 seconds: the connection is alive. */
  | { type: 'alive' }

export async function* inboxEvents(response: Response): AsyncGenerator<InboxEvent, void> {
  for await (const { name, data } of serverSentEvents(response)) {
    if (name === 'conversation' || name === 'typing' || name === 'seen') yield { ...JSON.parse(data), type: name }
    else yield { type: 'alive' }
  }
}
