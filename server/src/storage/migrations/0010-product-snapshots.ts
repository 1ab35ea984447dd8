// Indexes of large catalogues, written and read in parts. Part 0 is the head and is written last.
export const productSnapshots = [
  `CREATE TABLE product_snapshots (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    save_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    data {blob} NOT NULL,
    PRIMARY KEY (bot_id, save_id, part)
  )`,
]
