// What the instance itself has to remember, such as which secret key it was sealed with. And an index that tells which
// documents lack vectors without reading any vectors.
export const instanceValues = [
  'CREATE TABLE instance_values (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)) {clustered}',
  'CREATE INDEX document_vectors_by_model ON document_vectors (bot_id, document_id, model, outdated)',
]
