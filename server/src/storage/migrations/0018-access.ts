// Verified identity of visitors and sessions.
export const access = [
  // 1: the turn came without the visitor's token, under a session id that others may know or guess.
  'ALTER TABLE messages ADD COLUMN unverified INTEGER NOT NULL DEFAULT 0',
  // When the person last confirmed their identity; 0: before this was recorded.
  'ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0',
]
