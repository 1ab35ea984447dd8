import type { DeliveriesTable } from '../storage/deliveries.ts'

// Few enough that nobody waits for the database meanwhile.
const AT_ONCE = 500

/** The log of finished deliveries is kept for some time, not for ever. */
export async function forgetDeliveries(deliveries: Pick<DeliveriesTable, 'forget'>, before: number): Promise<void> {
  while ((await deliveries.forget(before, AT_ONCE)) === AT_ONCE) await new Promise(setImmediate)
}
