// Finds assigned and read conversations without a full scan.
export const inboxIndexes = [
  `CREATE INDEX conversations_by_assignee ON conversations (bot_id, assignee_id, updated_at, id)
    WHERE assignee_id IS NOT NULL`,
  'CREATE INDEX conversation_reads_by_reader ON conversation_reads (bot_id, reader_id)',
]
