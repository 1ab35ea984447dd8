export const oneOfEach = [
  // Only the last removal of a document counts.
  `CREATE TABLE last_removals (
    bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
    document_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (bot_id, document_id)
  ) {clustered}`,
  `INSERT INTO last_removals (bot_id, document_id, version)
   SELECT bot_id, document_id, max(version) FROM document_removals GROUP BY bot_id, document_id`,
  'DROP TABLE document_removals',
  'ALTER TABLE last_removals RENAME TO document_removals',
  // Replaced by throttles.
  'DROP TABLE rate_windows',
]
