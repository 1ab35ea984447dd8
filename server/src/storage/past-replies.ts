// What agents replied to visitors in conversations that are done.
import type { Database } from './database.ts'
import type { MessageRole } from './messages.ts'

export interface PastMessage {
  conversationId: string
  id: string
  role: Extract<MessageRole, 'user' | 'agent'>
  text: string
  agentName: string | null
  createdAt: number
}

const MAX_CONVERSATIONS = 300
// A conversation longer than this is a chat, and reading it would take long.
const MAX_MESSAGES = 100
// Of all conversations together, the newest.
const MAX_IN_ALL = 2000
const MAX_CHARACTERS = 2000
// What is asked stands at the beginning, and every question is compared.
const MAX_QUESTION_CHARACTERS = 300

export function openPastRepliesTable(database: Database) {
  return {
    /** What visitors and agents wrote in the conversations closed last, in order; without files. */
    async list(botId: string, exceptId: string): Promise<PastMessage[]> {
      const newest = await database.query<PastMessage>(
        `SELECT conversation_id, id, role, agent_name, created_at,
           substr(text, 1, CASE WHEN role = 'user' THEN ${MAX_QUESTION_CHARACTERS} ELSE ${MAX_CHARACTERS} END) AS text
         FROM messages WHERE bot_id = $1 AND unverified = 0 AND conversation_id IN (
             SELECT id FROM conversations WHERE bot_id = $1 AND accepted_at IS NOT NULL AND closed_at IS NOT NULL
               AND id <> $2 AND message_count <= ${MAX_MESSAGES} ORDER BY closed_at DESC LIMIT ${MAX_CONVERSATIONS})
           AND (role = 'user' OR (role = 'agent' AND shown IS NULL))
         ORDER BY id DESC LIMIT ${MAX_IN_ALL}`,
        [botId, exceptId],
      )
      return newest.reverse()
    },
  }
}
