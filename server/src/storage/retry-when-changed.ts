// Changes that are written only over the state they were derived from: whoever is late reads it again.

// Each failed attempt means that another writer succeeded.
const MAX_ATTEMPTS = 20

/** `attempt` reads, decides and writes; it returns null when somebody else wrote meanwhile. Null: each time. */
export async function retryWhenChanged<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const result = await attempt()
    if (result !== null) return result
  }
  return null
}
