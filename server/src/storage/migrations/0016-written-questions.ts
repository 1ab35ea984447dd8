// Questions written by a bot's language model to help find its passages.
export const writtenQuestions = [
  // A JSON array; null: not written yet.
  'ALTER TABLE passages ADD COLUMN questions TEXT',
  // Counts and finds the remaining passages without reading their texts.
  'CREATE INDEX passages_without_questions ON passages (bot_id, document_id, ordinal) WHERE questions IS NULL',
  // 1: computed before the questions were written. Used until replaced.
  'ALTER TABLE document_vectors ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0',
  // One row per bot that ever switched it on: settings, lease, cost so far.
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
