// Notification channels are endpoints with the same queue as webhooks. Notifications wait as items until they are sent
// together, at once or after quiet hours.
export const notifications = [
  `ALTER TABLE webhooks ADD COLUMN kind TEXT NOT NULL DEFAULT 'webhook'`,
  // A JSON object; null for webhooks.
  'ALTER TABLE webhooks ADD COLUMN settings TEXT',
  'ALTER TABLE webhooks ADD COLUMN waiting_minutes INTEGER',
  'ALTER TABLE webhooks ADD COLUMN notified_at BIGINT',
  // No foreign key to the channel: deleting it at the same moment must not fail the event.
  `CREATE TABLE notification_items (
    bot_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (bot_id, channel_id, id, type),
    FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
  ) {clustered}`,
  'CREATE INDEX notification_items_due ON notification_items (due_at)',
  'CREATE INDEX notification_items_by_conversation ON notification_items (bot_id, conversation_id)',
]
