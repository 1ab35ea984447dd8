// One thing in the conversation, as it is shown.
import type { LeadForm, VisitorMessage } from '@docent/contract'

export interface Entry extends Omit<VisitorMessage, 'id' | 'role' | 'attachments'> {
  attachments?: VisitorMessage['attachments']
  /** The server's; null before it has one, and for what only this page says. */
  id: string | null
  role: VisitorMessage['role'] | 'note'
  state: 'done' | 'sending' | 'streaming' | 'failed'
  /** Why it failed. */
  problem: string
  form: LeadForm | null
  /** Asks for a rating of the whole conversation. */
  stars?: boolean
}

export function newEntry(role: Entry['role'], text: string, change: Partial<Entry> = {}): Entry {
  return {
    id: null,
    role,
    text,
    state: 'done',
    problem: '',
    form: null,
    agent_name: null,
    sources: [],
    products: [],
    buttons: [],
    rating: null,
    rateable: false,
    created_at: new Date().toISOString(),
    ...change,
  }
}
