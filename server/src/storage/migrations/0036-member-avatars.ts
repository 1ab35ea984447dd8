// Pictures of the people who reply, and who wrote each reply.
export const memberAvatars = [
  `CREATE TABLE member_avatars (
    workspace_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, member_id),
    FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
  )`,
  'ALTER TABLE messages ADD COLUMN agent_id TEXT',
]
