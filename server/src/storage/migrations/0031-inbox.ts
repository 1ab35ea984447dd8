// The team's inbox: assignees, status, tags, read state, and saved replies.
export const inbox = [
  // Whether the last answer had low confidence.
  'ALTER TABLE conversations ADD COLUMN low_confidence INTEGER NOT NULL DEFAULT 0',
  // `bot`: nothing for the team to do.
  `ALTER TABLE conversations ADD COLUMN inbox_status TEXT NOT NULL DEFAULT 'bot'`,
  'ALTER TABLE conversations ADD COLUMN snoozed_until BIGINT',
  'ALTER TABLE conversations ADD COLUMN assignee_id TEXT',
  'ALTER TABLE conversations ADD COLUMN assignee_name TEXT',
  'ALTER TABLE conversations ADD COLUMN visitor_seen_at BIGINT',
  'ALTER TABLE conversations ADD COLUMN agent_seen_at BIGINT',
  `UPDATE conversations SET inbox_status = 'open', assignee_id = CASE WHEN handover_status = 'active' THEN agent_id END,
     assignee_name = CASE WHEN handover_status = 'active' THEN agent_name END
   WHERE handover_status IN ('requested', 'active')`,
  `UPDATE conversations SET low_confidence = 1 WHERE EXISTS (
     SELECT 1 FROM messages m WHERE m.bot_id = conversations.bot_id AND m.conversation_id = conversations.id
       AND m.decision = 'suggest' AND m.id = (
         SELECT max(l.id) FROM messages l
         WHERE l.bot_id = conversations.bot_id AND l.conversation_id = conversations.id AND l.role = 'assistant'))`,
  `CREATE INDEX conversations_in_inbox ON conversations (bot_id, updated_at, id) WHERE inbox_status = 'open'`,
  `CREATE TABLE conversation_tags (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (bot_id, conversation_id, tag),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX conversation_tags_by_tag ON conversation_tags (bot_id, tag)',
  // When a member last read a conversation.
  `CREATE TABLE conversation_reads (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    reader_id TEXT NOT NULL,
    read_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, conversation_id, reader_id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  `CREATE TABLE saved_filters (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    owner_id TEXT NOT NULL,
    filters TEXT NOT NULL,
    PRIMARY KEY (workspace_id, owner_id)
  ) {clustered}`,
  `CREATE TABLE canned_replies (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    shortcut TEXT NOT NULL,
    text TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, shortcut)
  ) {clustered}`,
]
