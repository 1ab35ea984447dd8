// What answers about products need: up to which version a catalogue is complete, and which products an answer named.
export const productAnswers = [
  'ALTER TABLE bots ADD COLUMN product_ready_version BIGINT NOT NULL DEFAULT 0',
  'UPDATE bots SET product_ready_version = product_version',
  'ALTER TABLE messages ADD COLUMN product_ids TEXT',
]
