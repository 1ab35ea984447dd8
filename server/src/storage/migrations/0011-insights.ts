// Insights: daily figures, questions, people, and retention.
const zero = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `${column} INTEGER NOT NULL DEFAULT 0`)
    .join(', ')

const counts =
  'conversations, messages, questions, answered, ratings_up, ratings_down, handovers_requested, handovers_accepted, leads'

export const insights = [
  // Counted as it happens, so that a year reads as fast as a day and outlives conversations. Several slots per
  // day, so that turns of one bot do not contend for one row.
  `CREATE TABLE activity_days (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    day INTEGER NOT NULL,
    channel TEXT NOT NULL,
    slot INTEGER NOT NULL,
    ${zero(counts)},
    confidence DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, day, channel, slot)
  ) {clustered}`,
  `INSERT INTO activity_days (bot_id, day, channel, slot, conversations, messages, ratings_up, ratings_down,
      handovers_requested, handovers_accepted, leads)
    SELECT bot_id, day, channel, 0, sum(conversations), sum(messages), sum(ups), sum(downs), sum(requested),
      sum(accepted), sum(leads)
    FROM (
      SELECT bot_id, created_at / 86400000 AS day, channel, 1 AS conversations, 0 AS messages, 0 AS ups, 0 AS downs,
        0 AS requested, 0 AS accepted, 0 AS leads FROM conversations
      UNION ALL
      SELECT m.bot_id, m.created_at / 86400000, c.channel, 0, 1, CASE WHEN m.rating = 'up' THEN 1 ELSE 0 END,
        CASE WHEN m.rating = 'down' THEN 1 ELSE 0 END, 0, 0, 0
      FROM messages m JOIN conversations c ON c.bot_id = m.bot_id AND c.id = m.conversation_id
      UNION ALL
      SELECT bot_id, requested_at / 86400000, channel, 0, 0, 0, 0, 1, 0, 0 FROM conversations WHERE requested_at IS NOT NULL
      UNION ALL
      SELECT bot_id, accepted_at / 86400000, channel, 0, 0, 0, 0, 0, 1, 0 FROM conversations WHERE accepted_at IS NOT NULL
      UNION ALL
      SELECT bot_id, created_at / 86400000, 'widget', 0, 0, 0, 0, 0, 0, 1 FROM leads
    ) AS counted GROUP BY bot_id, day, channel`,

  // For replies: key of the question, identical for questions that differ only in spelling; null where nothing was asked.
  'ALTER TABLE messages ADD COLUMN question_key TEXT',
  'ALTER TABLE messages ADD COLUMN question_id TEXT',
  'ALTER TABLE messages ADD COLUMN question_language TEXT',
  // In question order, so that counting needs no sort.
  `CREATE INDEX messages_questions ON messages (bot_id, question_key, created_at, answered, question_language)
    WHERE question_key IS NOT NULL`,
  `CREATE TABLE dismissed_questions (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    question_key TEXT NOT NULL,
    dismissed_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, question_key)
  ) {clustered}`,

  // Lower-cased by the server: databases differ beyond ASCII.
  'ALTER TABLE visitors ADD COLUMN name_lower TEXT',
  'UPDATE visitors SET name_lower = lower(name)',
  'ALTER TABLE leads ADD COLUMN name_lower TEXT',
  'UPDATE leads SET name_lower = lower(name)',
  'CREATE INDEX conversations_by_start ON conversations (bot_id, created_at)',
  // Includes the time, to find a visitor's latest conversation directly.
  'DROP INDEX conversations_by_visitor',
  `CREATE INDEX conversations_by_visitor ON conversations (bot_id, visitor_id, updated_at, id)
    WHERE visitor_id IS NOT NULL`,
  'CREATE INDEX conversations_by_user ON conversations (bot_id, user_id, updated_at, id) WHERE user_id IS NOT NULL',
  // Subject of a delivery: a conversation or, without one, the user or session named in the call.
  'ALTER TABLE deliveries ADD COLUMN about TEXT',
  'CREATE INDEX deliveries_about ON deliveries (bot_id, about) WHERE about IS NOT NULL',
  `CREATE TABLE retention_runs (
    bot_id TEXT PRIMARY KEY REFERENCES bots (id) ON DELETE CASCADE,
    claimed_at BIGINT NOT NULL,
    finished_at BIGINT,
    removed BIGINT NOT NULL DEFAULT 0
  )`,
]
