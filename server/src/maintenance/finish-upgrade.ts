// Finishes an upgrade of the tables at once, instead of when a server gets to it.
import { openStorage } from '../storage/storage.ts'
import type { InstanceLocation } from './instance-key.ts'

/** Returns what is left to do later. */
export async function finishUpgrade(location: InstanceLocation, now: number): Promise<string[]> {
  const storage = await openStorage({ ...location, databasePoolSize: 2 }, now)
  try {
    return await storage.nodes.finishUpgrade(now)
  } finally {
    await storage.close()
  }
}
