// A message or note as shown in the conversation.
import type { LeadForm, SentForm, VisitorMessage } from '@docent/contract'

export interface Entry extends Omit<VisitorMessage, 'id' | 'role' | 'attachments' | 'form'> {
  attachments?: VisitorMessage['attachments']
  /** The server's id; null until it has one, and for local notes. */
  id: string | null
  role: VisitorMessage['role'] | 'note'
  state: 'done' | 'sending' | 'streaming' | 'failed'
  /** Why sending failed. */
  problem: string
  /** The contact form, or what was written into it. */
  form: LeadForm | SentForm | null
  /** Its text, among those that load on use. */
  note?: 'unavailable' | 'returned'
  /** Whether it asks to rate the whole conversation. */
  stars?: boolean
}

export function makeEntry(role: Entry['role'], text: string, change: Partial<Entry> = {}): Entry {
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
