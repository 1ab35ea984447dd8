// Indexes for the sort orders of long lists.
export const lists = [
  'CREATE INDEX documents_by_change ON documents (bot_id, updated_at, id)',
  'CREATE INDEX documents_by_title ON documents (bot_id, title, id)',
]
