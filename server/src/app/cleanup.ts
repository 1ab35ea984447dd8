// Removes expired records once an hour.
import type { Config } from '../config.ts'
import type { Part } from '../lifecycle.ts'
import { inBatches } from '../storage/statements.ts'
import type { Storage } from '../storage/storage.ts'

const HOUR_MS = 3_600_000

interface Deps {
  storage: Pick<Storage, 'idempotentCalls' | 'deliveries'>
  config: Pick<Config, 'deliveryLogMs'>
  /** Clean-ups of other parts. */
  others: (() => Promise<unknown>)[]
  clock: () => number
  onError: (error: unknown) => void
}

export function openCleanup({ storage, config, others, clock, onError }: Deps): Part {
  const { idempotentCalls, deliveries } = storage
  const all = [
    () => idempotentCalls.forget(clock() - 24 * HOUR_MS),
    () => inBatches((most) => deliveries.forget(clock() - config.deliveryLogMs, most)),
    ...others,
  ]
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      timer = setInterval(() => {
        for (const forget of all) forget().catch(onError)
      }, HOUR_MS).unref()
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
