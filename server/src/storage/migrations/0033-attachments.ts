// Files exchanged in chats, avatars of bots and teams, and ratings of chats.
export const attachments = [
  `CREATE TABLE attachments (
    bot_id TEXT NOT NULL,
    id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX attachments_by_conversation ON attachments (bot_id, conversation_id)',
  `CREATE TABLE avatars (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  'ALTER TABLE conversations ADD COLUMN stars INTEGER',
  'ALTER TABLE conversations ADD COLUMN stars_reason TEXT',
]
