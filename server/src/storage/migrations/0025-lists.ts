// Orders that long lists are shown in.
export const lists = [
  'CREATE INDEX documents_by_change ON documents (bot_id, updated_at, id)',
  'CREATE INDEX documents_by_title ON documents (bot_id, title, id)',
]
