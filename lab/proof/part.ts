// The result of a part of the proof: how much was tried, and every violated guarantee.
import type { Engine } from '../../server/test/harness/database/databases.ts'

export interface PartResult {
  counts: Record<string, number>
  problems: string[]
  /** What could not be tried here, and why. */
  notRun?: string
}

export interface PartOptions {
  engine: Engine
  seed: number
  /** How often, in the unit of the part: requests, kills, rounds. */
  times: number
}

/** As many at once as a busy client would; the order is that of the seed, but for what overlaps. */
export async function inParallel(times: number, atOnce: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < times) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
