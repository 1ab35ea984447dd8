export const languageModel = [
  'ALTER TABLE bots ADD COLUMN language_model TEXT',
  'ALTER TABLE messages ADD COLUMN model TEXT',
  'ALTER TABLE messages ADD COLUMN input_tokens BIGINT',
  'ALTER TABLE messages ADD COLUMN output_tokens BIGINT',
  // One row per day and outcome: answered, no_answer, or the reason for a failure.
  `CREATE TABLE model_usage_days (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    calls BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (bot_id, day, outcome)
  ) {clustered}`,
]
