// Every tenant table's key starts with the tenant's id, so that an unscoped query is easy to spot and the tables can
// be sharded by tenant. Times are milliseconds since 1970, JSON is text.
export const foundation = [
  `CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    daily_limit BIGINT,
    created_at BIGINT NOT NULL
  )`,
  `CREATE TABLE members (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, email)
  )`,
  `CREATE TABLE management_tokens (
    workspace_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    PRIMARY KEY (workspace_id, member_id, id),
    FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE bots (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    site_url TEXT,
    fallback_message TEXT,
    tone TEXT NOT NULL,
    answer_threshold DOUBLE PRECISION,
    suggest_threshold DOUBLE PRECISION,
    knowledge_version BIGINT NOT NULL DEFAULT 0,
    curated_version BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
  )`,
  `CREATE TABLE keys (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    replaced_at BIGINT,
    daily_limit BIGINT,
    PRIMARY KEY (bot_id, id)
  )`,
  `CREATE TABLE quota_days (
    bot_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    calls BIGINT NOT NULL,
    last_call_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, key_id, day),
    FOREIGN KEY (bot_id, key_id) REFERENCES keys (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  `CREATE TABLE idempotent_calls (
    bot_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    answer TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, key_id, idempotency_key),
    FOREIGN KEY (bot_id, key_id) REFERENCES keys (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX idempotent_calls_by_age ON idempotent_calls (created_at)',
  `CREATE TABLE conversations (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    channel TEXT NOT NULL,
    session_id TEXT NOT NULL,
    user_id TEXT,
    page_url TEXT,
    metadata TEXT,
    message_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, channel, session_id)
  ) {clustered}`,
  `CREATE TABLE messages (
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    sources TEXT,
    document_ids TEXT,
    confidence DOUBLE PRECISION,
    answered INTEGER,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, conversation_id, id),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  `CREATE TABLE documents (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    language TEXT NOT NULL,
    format TEXT NOT NULL,
    content TEXT NOT NULL,
    hash TEXT NOT NULL,
    passage_count INTEGER NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  // An in-memory index catches up by reading what was changed and removed since its version.
  'CREATE INDEX documents_by_version ON documents (bot_id, version)',
  `CREATE TABLE document_removals (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    document_id TEXT NOT NULL,
    PRIMARY KEY (bot_id, version, document_id)
  ) {clustered}`,
  `CREATE TABLE passages (
    bot_id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    headings TEXT NOT NULL,
    anchor TEXT,
    text TEXT NOT NULL,
    PRIMARY KEY (bot_id, document_id, ordinal),
    FOREIGN KEY (bot_id, document_id) REFERENCES documents (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  `CREATE TABLE document_vectors (
    bot_id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    model TEXT NOT NULL,
    vectors {blob} NOT NULL,
    PRIMARY KEY (bot_id, document_id),
    FOREIGN KEY (bot_id, document_id) REFERENCES documents (bot_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE index_snapshots (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    version BIGINT NOT NULL,
    format TEXT NOT NULL,
    data {blob} NOT NULL,
    PRIMARY KEY (bot_id, part)
  )`,
  `CREATE TABLE curated_answers (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    question TEXT NOT NULL,
    alternatives TEXT NOT NULL,
    answer TEXT NOT NULL,
    url TEXT,
    model TEXT,
    vectors {blob},
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  `CREATE TABLE outbox (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  ) {clustered}`,
]
