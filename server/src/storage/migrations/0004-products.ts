// A bot's catalogue. Products are JSON; only what is searched, compared or sorted by has its own column.
export const products = [
  'ALTER TABLE bots ADD COLUMN product_version BIGINT NOT NULL DEFAULT 0',
  `CREATE TABLE products (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    version BIGINT NOT NULL,
    replacement_id TEXT,
    availability TEXT,
    search_text TEXT NOT NULL,
    synced_at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  // An in-memory index catches up by reading what was changed and removed since its version.
  'CREATE INDEX products_by_version ON products (bot_id, version, id)',
  `CREATE TABLE product_removals (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    product_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (bot_id, product_id)
  ) {clustered}`,
  // A replace in progress, possibly over several requests; a finished one is kept for a day in case its end is sent again.
  `CREATE TABLE product_replacements (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    sync_id TEXT NOT NULL,
    state TEXT NOT NULL,
    start_version BIGINT NOT NULL,
    batches INTEGER NOT NULL,
    last_batch_hash TEXT NOT NULL,
    report TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id)
  )`,
  // Ids sent so far in a replace, changed or not.
  `CREATE TABLE product_sightings (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    product_id TEXT NOT NULL,
    replacement_id TEXT NOT NULL,
    PRIMARY KEY (bot_id, product_id, replacement_id)
  ) {clustered}`,
  `CREATE TABLE product_syncs (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (bot_id, id)
  ) {clustered}`,
]
