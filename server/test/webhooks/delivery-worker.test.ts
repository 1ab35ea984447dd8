// Stopping a worker at moments that cannot be reached through the API.

import { expect, test } from 'vitest'
import type { LeasedDelivery } from '../../src/storage/delivery-queue.ts'
import { openDeliveryWorker } from '../../src/webhooks/delivery-worker.ts'
import { waitFor } from '../harness/wait.ts'

/** A queue in memory, for one endpoint. An attempt of `hangs` goes on until it is cut off. */
function queueOf(ids: string[]) {
  const waiting = [...ids]
  const taken = new Set<string>()
  const begun: string[] = []
  const cutOff = Promise.withResolvers<never>()
  cutOff.promise.catch(() => {})
  const gate = { lease: Promise.resolve() }
  const endpoint = { botId: 'bot', webhookId: 'whk', dueAt: 0 }
  const worker = openDeliveryWorker({
    queue: {
      listWaiting: async () => [endpoint],
      listWaitingOf: async () => [endpoint],
      async lease(_, most, holder) {
        const some = waiting.splice(0, most)
        await gate.lease
        for (const id of some) taken.add(id)
        return some.map((id): LeasedDelivery => ({ botId: 'bot', id, eventId: id, payload: '', attempts: 0, holder }))
      },
      async release({ id }) {
        if (!taken.delete(id)) throw new Error(`${id} was not taken`)
        waiting.push(id)
      },
      capWaits: async () => {},
      releaseAll: async () => {},
    },
    async deliver(_, { id }) {
      begun.push(id)
      if (id.startsWith('hangs')) await cutOff.promise
      taken.delete(id)
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
  return { worker, stop, waiting, taken, begun, gate }
}

test('a stop releases all leased deliveries, started or not', async () => {
  const hanging = Array.from({ length: 30 }, (_, index) => `hangs-${index}`)
  const { worker, stop, waiting, taken, begun } = queueOf(['well', ...hanging])
  await worker.start()
  // The endpoint is quick, so that more is taken than can begin at once.
  await waitFor(() => taken.size > begun.length - 1 && begun.length > 1, 'one that has not begun')
  await stop(20)
  expect([...taken]).toEqual([])
  expect(waiting.toSorted()).toEqual(hanging.toSorted())
})

test('a stop also releases deliveries that are being leased', async () => {
  const { worker, stop, waiting, taken, begun, gate } = queueOf(['a', 'b'])
  const reading = Promise.withResolvers<void>()
  gate.lease = reading.promise
  await worker.start()
  await waitFor(() => waiting.length === 0, 'the taking')
  setTimeout(reading.resolve, 20)
  await stop(10_000)
  expect([[...taken], begun, waiting.toSorted()]).toEqual([[], [], ['a', 'b']])
})
