// What the instance itself has to remember, such as which secret key it was sealed with.
export const instanceValues = [
  'CREATE TABLE instance_values (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)) {clustered}',
]
