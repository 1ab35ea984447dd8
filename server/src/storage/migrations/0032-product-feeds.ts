// Product lists pulled from a URL, and their runs. Each feed records the products it brought.
export const productFeeds = [
  `CREATE TABLE product_feeds (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    shown_url TEXT NOT NULL,
    format TEXT,
    every_hours INTEGER,
    remove_missing INTEGER NOT NULL,
    removal_confirmed INTEGER NOT NULL DEFAULT 0,
    paused INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    etag TEXT,
    last_modified TEXT,
    product_ids {blob},
    attempts INTEGER NOT NULL DEFAULT 0,
    read_bytes BIGINT NOT NULL DEFAULT 0,
    total_bytes BIGINT,
    read_items INTEGER NOT NULL DEFAULT 0,
    due_at BIGINT,
    lease TEXT,
    leased_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    PRIMARY KEY (bot_id, id)
  )`,
  'CREATE INDEX product_feeds_by_due ON product_feeds (due_at)',
  `CREATE TABLE product_feed_runs (
    bot_id TEXT NOT NULL,
    feed_id TEXT NOT NULL,
    id TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (bot_id, feed_id, id),
    FOREIGN KEY (bot_id, feed_id) REFERENCES product_feeds (bot_id, id) ON DELETE CASCADE
  )`,
]
