// Who may do what, and who is only said to.
export const access = [
  // 1: of a turn that came without the visitor's token, under a session id that others know or guess.
  'ALTER TABLE messages ADD COLUMN unverified INTEGER NOT NULL DEFAULT 0',
  // When the person of a session last proved who they are; 0: before this was asked.
  'ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0',
]
