// People who log in. An account is linked to a member once its person accepts an invitation: an email address alone,
// which anybody can claim when they sign up, opens no workspace.
export const accounts = [
  `CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    instance_owner INTEGER NOT NULL,
    second_factor TEXT,
    pending_second_factor TEXT,
    second_factor_step BIGINT,
    created_at BIGINT NOT NULL
  )`,
  'CREATE UNIQUE INDEX accounts_instance_owner ON accounts (instance_owner) WHERE instance_owner = 1',
  'ALTER TABLE members ADD COLUMN account_id TEXT REFERENCES accounts (id)',
  'CREATE INDEX members_by_account ON members (account_id)',
  `CREATE TABLE sessions (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    workspace_id TEXT,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    ip TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
  )`,
  `CREATE TABLE recovery_codes (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (account_id, hash)
  ) {clustered}`,
  // Single-use link tokens: instance set-up and password reset.
  `CREATE TABLE link_tokens (
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
  )`,
  'CREATE INDEX link_tokens_by_account ON link_tokens (account_id)',
  `CREATE TABLE invitations (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT,
    role TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, email)
  )`,
  `CREATE TABLE throttles (
    name TEXT PRIMARY KEY,
    attempts BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
  ) {clustered}`,
  `CREATE TABLE audit_entries (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT,
    ip TEXT,
    PRIMARY KEY (workspace_id, id)
  ) {clustered}`,
  'CREATE INDEX audit_entries_by_age ON audit_entries (at)',
]
