// Messages that tell of several conversations, which an erasure looks through.
export const digests = [
  `CREATE INDEX deliveries_digests ON deliveries (bot_id) WHERE event_type = 'notification' AND about IS NULL`,
]
