// Values of the instance itself, such as its secret key's fingerprint. Also an index that finds documents
// without vectors, without reading any vectors.
export const instanceValues = [
  'CREATE TABLE instance_values (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)) {clustered}',
  'CREATE INDEX document_vectors_by_model ON document_vectors (bot_id, document_id, model, outdated)',
]
