// Indexes of large catalogues, in parts that are written and read one by one. Part 0 is the head and comes last.
export const productSnapshots = [
  `CREATE TABLE product_snapshots (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    save_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    data {blob} NOT NULL,
    PRIMARY KEY (bot_id, save_id, part)
  )`,
]
