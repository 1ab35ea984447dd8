// Uploaded files as received, for download. Their text is a document like any other.
export const files = [
  `CREATE TABLE files (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    hash TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    content {blob} NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, name)
  )`,
]
