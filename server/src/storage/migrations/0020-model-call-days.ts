// Language model calls per day: one row per bot, and one per workspace with bot ''.
export const modelCallDays = [
  `CREATE TABLE model_call_days (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    bot_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    calls INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, bot_id, day)
  ) {clustered}`,
]
