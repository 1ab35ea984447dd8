// Marks messages about several conversations, which an erasure has to search.
export const digests = [
  `CREATE INDEX deliveries_digests ON deliveries (bot_id) WHERE event_type = 'notification' AND about IS NULL`,
]
