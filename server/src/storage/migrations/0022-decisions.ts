// How each reply came about, to tell requests for a person and low-confidence answers from the rest.
export const decisions = [
  'ALTER TABLE messages ADD COLUMN decision TEXT',
  'ALTER TABLE activity_days ADD COLUMN low_confidence INTEGER NOT NULL DEFAULT 0',
  'DROP INDEX messages_questions',
  `CREATE INDEX messages_questions ON messages (bot_id, question_key, created_at, answered, decision, question_language)
    WHERE question_key IS NOT NULL`,
]
