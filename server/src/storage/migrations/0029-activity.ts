// Figures per half hour instead of per day, so that they can be summed by day in any time zone.
const counts = [
  ...['conversations', 'messages', 'questions', 'answered', 'low_confidence', 'ratings_up', 'ratings_down'],
  ...['handovers_requested', 'handovers_accepted', 'leads'],
]

export const activity = [
  `CREATE TABLE activity (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    half_hour INTEGER NOT NULL,
    channel TEXT NOT NULL,
    slot INTEGER NOT NULL,
    ${counts.map((column) => `${column} INTEGER NOT NULL DEFAULT 0`).join(', ')},
    confidence DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, half_hour, channel, slot)
  ) {clustered}`,
  // Older figures are known only by day. Noon UTC is the same day almost everywhere.
  `INSERT INTO activity (bot_id, half_hour, channel, slot, ${counts.join(', ')}, confidence)
    SELECT bot_id, day * 48 + 24, channel, slot, ${counts.join(', ')}, confidence FROM activity_days`,
  'DROP TABLE activity_days',
]
