// Widget visitors, their leads, and handover to agents.
export const widget = [
  'ALTER TABLE bots ADD COLUMN widget_settings TEXT',
  'ALTER TABLE bots ADD COLUMN retention_days INTEGER NOT NULL DEFAULT 90',
  `CREATE TABLE visitors (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    name TEXT,
    email TEXT,
    locale TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, token_hash)
  )`,
  'ALTER TABLE conversations ADD COLUMN visitor_id TEXT',
  'ALTER TABLE conversations ADD COLUMN language TEXT',
  // Whether the last question got no answer.
  'ALTER TABLE conversations ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0',
  `ALTER TABLE conversations ADD COLUMN handover_status TEXT NOT NULL DEFAULT 'none'`,
  'ALTER TABLE conversations ADD COLUMN handover_reason TEXT',
  'ALTER TABLE conversations ADD COLUMN agent_id TEXT',
  'ALTER TABLE conversations ADD COLUMN agent_name TEXT',
  'ALTER TABLE conversations ADD COLUMN requested_at BIGINT',
  'ALTER TABLE conversations ADD COLUMN accepted_at BIGINT',
  'ALTER TABLE conversations ADD COLUMN closed_at BIGINT',
  'CREATE INDEX conversations_by_activity ON conversations (bot_id, updated_at, id)',
  'CREATE INDEX conversations_by_visitor ON conversations (bot_id, visitor_id) WHERE visitor_id IS NOT NULL',
  `CREATE INDEX conversations_handed_over ON conversations (bot_id, updated_at, id)
    WHERE handover_status IN ('requested', 'active')`,
  'ALTER TABLE messages ADD COLUMN agent_name TEXT',
  'ALTER TABLE messages ADD COLUMN rating TEXT',
  'ALTER TABLE messages ADD COLUMN rating_reason TEXT',
  // Cards and buttons shown with an answer.
  'ALTER TABLE messages ADD COLUMN shown TEXT',
  `CREATE TABLE conversation_notes (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    author TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, conversation_id, id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  // One per visitor.
  `CREATE TABLE leads (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    visitor_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    name TEXT,
    email TEXT,
    phone TEXT,
    message TEXT,
    fields TEXT NOT NULL,
    source TEXT NOT NULL,
    consent INTEGER NOT NULL,
    page_url TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, visitor_id)
  )`,
  // Rate limits shared by all nodes.
  `CREATE TABLE rate_windows (
    name TEXT PRIMARY KEY,
    started_at BIGINT NOT NULL,
    calls BIGINT NOT NULL
  )`,
]
