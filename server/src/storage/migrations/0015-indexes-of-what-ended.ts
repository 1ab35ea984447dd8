// Separate partial indexes for pending and finished deliveries. Few are pending, so their indexes stay small, and
// the others are written once per batch of arrivals, not with every mirrored turn.
export const indexesOfWhatEnded = [
  'DROP INDEX deliveries_by_state',
  'DROP INDEX deliveries_by_type',
  `CREATE INDEX deliveries_waiting_by_id ON deliveries (webhook_id, id, event_type) WHERE state = 'pending'`,
  `CREATE INDEX deliveries_by_state ON deliveries (webhook_id, state, id) WHERE state <> 'pending'`,
  `CREATE INDEX deliveries_by_type ON deliveries (bot_id, event_type, state, id) WHERE state <> 'pending'`,
]
