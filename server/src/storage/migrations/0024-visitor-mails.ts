// Queue of emails to visitors: unseen replies and requested transcripts.
export const visitorMails = [
  `CREATE TABLE visitor_mails (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, conversation_id, kind),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX visitor_mails_due ON visitor_mails (due_at)',
]
