export const documentSizes = [
  // Counts a bot's documents without reading their texts.
  'CREATE INDEX documents_sizes ON documents (bot_id, passage_count)',
]
