// Endpoints that receive events, and their deliveries, written with the event. A mirror is the one endpoint of an API key.
export const webhooks = [
  'DROP TABLE outbox',
  `CREATE TABLE webhooks (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    key_id TEXT,
    url TEXT NOT NULL,
    event_types TEXT,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_until BIGINT,
    failing_since BIGINT,
    failed_at BIGINT,
    disabled_at BIGINT,
    disabled_reason TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, id),
    UNIQUE (bot_id, key_id),
    FOREIGN KEY (bot_id, key_id) REFERENCES keys (bot_id, id) ON DELETE CASCADE
  )`,
  // No foreign key to the endpoint: deleting it at the same moment must not fail the turn that reports to it.
  `CREATE TABLE deliveries (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    attempt_log TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    taken_by TEXT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    PRIMARY KEY (bot_id, id)
  )`,
  'CREATE INDEX deliveries_by_webhook ON deliveries (bot_id, webhook_id, id)',
  'CREATE INDEX deliveries_by_state ON deliveries (webhook_id, state, id)',
  'CREATE INDEX deliveries_by_type ON deliveries (bot_id, event_type, id)',
  // Pending deliveries by endpoint: a worker finds each endpoint without reading a long queue.
  `CREATE INDEX deliveries_waiting ON deliveries (webhook_id, due_at) WHERE state = 'pending'`,
  `CREATE INDEX deliveries_failed ON deliveries (bot_id, id) WHERE state = 'failed'`,
  `CREATE INDEX deliveries_by_age ON deliveries (created_at) WHERE state <> 'pending'`,
  // Existing conversations count as ended, so that no burst of events is sent for them.
  'ALTER TABLE conversations ADD COLUMN ended_at BIGINT',
  'UPDATE conversations SET ended_at = updated_at',
  'CREATE INDEX conversations_open ON conversations (updated_at) WHERE ended_at IS NULL',
]
