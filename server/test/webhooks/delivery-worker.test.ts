// Stopping a worker at moments that cannot be reached through the API.

import { expect, test } from 'vitest'
import type { LeasedDelivery } from '../../src/storage/delivery-queue.ts'
import { openDeliveryWorker } from '../../src/webhooks/delivery-worker.ts'
import { waitFor } from '../harness/wait.ts'

/** A queue in memory, for one endpoint. An attempt of `hangs` goes on until it is cut off. */
function queueOf(ids: string[]) {
  const waitingIds = [...ids]
  const takenIds = new Set<string>()
  const startedIds: string[] = []
  const cutOff = Promise.withResolvers<never>()
  cutOff.promise.catch(() => {})
  const gate = { lease: Promise.resolve() }
  const endpoint = { botId: 'bot', webhookId: 'whk', dueAt: 0 }
  const worker = openDeliveryWorker({
    queue: {
      listWaiting: async () => [endpoint],
      listWaitingOf: async () => [endpoint],
      async lease(_, most, holder) {
        const some = waitingIds.splice(0, most)
        await gate.lease
        for (const id of some) takenIds.add(id)
        return some.map((id): LeasedDelivery => ({ botId: 'bot', id, eventId: id, payload: '', attempts: 0, holder }))
      },
      async release({ id }) {
        if (!takenIds.delete(id)) throw new Error(`${id} was not taken`)
        waitingIds.push(id)
      },
      capWaits: async () => {},
      releaseAll: async () => {},
    },
    async deliver(_, { id }) {
      startedIds.push(id)
      if (id.startsWith('hangs')) await cutOff.promise
      takenIds.delete(id)
      return { succeeded: true, durationMs: 1, pauseMs: 0 }
    },
    settle: async () => {},
    timeoutMs: 1000,
    name: 'worker',
    alone: true,
    clock: Date.now,
    onError: (error) => expect.unreachable(String(error)),
  })
  const stop = (graceMs: number) => worker.stop(graceMs, async () => cutOff.reject(new Error('closed')))
  return { worker, stop, waitingIds, takenIds, startedIds, gate }
}

test('a stop releases all leased deliveries, started or not', async () => {
  const hanging = Array.from({ length: 30 }, (_, index) => `hangs-${index}`)
  const { worker, stop, waitingIds, takenIds, startedIds } = queueOf(['well', ...hanging])
  await worker.start()
  // The endpoint is quick, so that more is taken than can begin at once.
  await waitFor(() => takenIds.size > startedIds.length - 1 && startedIds.length > 1, 'one that has not begun')
  await stop(20)
  expect([...takenIds]).toEqual([])
  expect(waitingIds.toSorted()).toEqual(hanging.toSorted())
})

test('a stop also releases deliveries that are being leased', async () => {
  const { worker, stop, waitingIds, takenIds, startedIds, gate } = queueOf(['a', 'b'])
  const lease = Promise.withResolvers<void>()
  gate.lease = lease.promise
  await worker.start()
  await waitFor(() => waitingIds.length === 0, 'the taking')
  setTimeout(lease.resolve, 20)
  await stop(10_000)
  expect([[...takenIds], startedIds, waitingIds.toSorted()]).toEqual([[], [], ['a', 'b']])
})
