import { timedId } from '../ids.ts'
import type { InboxRecord, InboxTable, NoteRecord } from '../storage/inbox.ts'
import type { Live } from './live.ts'

export interface NoteDeps {
  inbox: Pick<InboxTable, 'addNote'>
  live: Pick<Live, 'publish'>
  clock: () => number
}

export async function addNote(
  { inbox, live, clock }: NoteDeps,
  { botId, id }: InboxRecord,
  author: string,
  text: string,
): Promise<NoteRecord> {
  const now = clock()
  const note = { id: timedId('not', now), text, author, createdAt: now }
  await inbox.addNote(botId, id, note)
  live.publish({ botId, conversationId: id, kind: 'note' })
  return note
}
