// For answers about products: the version up to which a catalogue is complete, and the products an answer named.
export const productAnswers = [
  'ALTER TABLE bots ADD COLUMN product_ready_version BIGINT NOT NULL DEFAULT 0',
  'UPDATE bots SET product_ready_version = product_version',
  'ALTER TABLE messages ADD COLUMN product_ids TEXT',
]
