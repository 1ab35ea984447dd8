// Questions that a bot's language model wrote for its passages; they are phrasings by which a passage is found.
export const writtenQuestions = [
  // A JSON array; null: not asked for yet.
  'ALTER TABLE passages ADD COLUMN questions TEXT',
  // What is left to do is counted and taken from here, without reading texts.
  'CREATE INDEX passages_without_questions ON passages (bot_id, document_id, ordinal) WHERE questions IS NULL',
  // 1: computed before the questions came. Used until the new ones are there.
  'ALTER TABLE document_vectors ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0',
  // One row per bot that was ever switched on: the setting, the lease of the node that works on it, what it cost so far.
  `CREATE TABLE question_writing (
    bot_id TEXT PRIMARY KEY REFERENCES bots (id) ON DELETE CASCADE,
    enabled INTEGER NOT NULL,
    daily_calls INTEGER NOT NULL,
    due_at BIGINT NOT NULL DEFAULT 0,
    lease TEXT,
    leased_until BIGINT NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    last_error_at BIGINT,
    day BIGINT NOT NULL DEFAULT 0,
    calls_today INTEGER NOT NULL DEFAULT 0,
    calls BIGINT NOT NULL DEFAULT 0,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cost DOUBLE PRECISION NOT NULL DEFAULT 0
  )`,
]
