// Live events of conversations.
import { serverSentEvents } from './chat-events.ts'

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
