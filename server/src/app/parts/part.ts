// A part of the running server. Parts start in order and stop in reverse, so that each stops before its dependencies.
import { runEverySecond } from '../run-every-second.ts'

export interface Part {
  start?(): Promise<void> | void
  stop?(): Promise<void>
}

export async function startAll(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await part.start?.()
}

export async function stopAll(parts: readonly Part[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop?.()
}

/** Repeats work every second while the server runs; `last` runs once at the end. */
export function createRepeatedPart(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  last: () => Promise<void> = async () => {},
): Part {
  let repetition: ReturnType<typeof runEverySecond> | undefined
  return {
    start() {
      repetition = runEverySecond(work, onError)
    },
    async stop() {
      await repetition?.stop()
      await last().catch(onError)
    },
  }
}
