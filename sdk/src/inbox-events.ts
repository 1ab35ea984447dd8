// What happens in the conversations of a bot, as it happens.
import { serverSentEvents } from './chat-events.ts'

export type InboxEvent =
  | { type: 'conversation'; conversation_id: string; kind: 'message' | 'handover' | 'rating' | 'lead' | 'note' }
  | { type: 'typing'; conversation_id: string; by: 'visitor' | 'agent' }
  /** First, and then every 25 seconds: the line stands. */
  | { type: 'alive' }

export async function* inboxEvents(response: Response): AsyncGenerator<InboxEvent, void> {
  for await (const { name, data } of serverSentEvents(response)) {
    if (name === 'conversation' || name === 'typing') yield { ...JSON.parse(data), type: name }
    else yield { type: 'alive' }
  }
}
