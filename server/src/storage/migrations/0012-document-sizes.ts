export const documentSizes = [
  // Counting what a bot knows reads this instead of every document, texts included.
  'CREATE INDEX documents_sizes ON documents (bot_id, passage_count)',
]
