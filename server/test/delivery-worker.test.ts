// The end of a worker, at moments that cannot be met from outside.
import { expect, test } from 'vitest'
import { deliveryWorker } from '../src/events/delivery-worker.ts'
import type { TakenDelivery } from '../src/storage/delivery-queue.ts'
import { waitFor } from './harness/receiver.ts'

/** A queue in memory, for one endpoint. An attempt of `hangs` goes on until it is cut off. */
function queueOf(ids: string[]) {
  const waiting = [...ids]
  const taken = new Set<string>()
  const begun: string[] = []
  const cutOff = Promise.withResolvers<never>()
  cutOff.promise.catch(() => {})
  const release = { take: Promise.resolve() }
  const endpoint = { botId: 'bot', webhookId: 'whk', dueAt: 0 }
  const worker = deliveryWorker({
    queue: {
      listWaiting: async () => [endpoint],
      listWaitingOf: async () => [endpoint],
      async take(_, most, taker) {
        const some = waiting.splice(0, most)
        await release.take
        for (const id of some) taken.add(id)
        return some.map((id): TakenDelivery => ({ botId: 'bot', id, eventId: id, payload: '', attempts: 0, taker }))
      },
      async giveBack({ id }) {
        if (!taken.delete(id)) throw new Error(`${id} was not taken`)
        waiting.push(id)
      },
      capWaits: async () => {},
      giveBackAll: async () => {},
    },
    async deliver(_, { id }) {
      begun.push(id)
      if (id.startsWith('hangs')) await cutOff.promise
      taken.delete(id)
      return { succeeded: true, durationMs: 1, restMs: 0 }
    },
    settle: async () => {},
    ...{ timeoutMs: 1000, name: 'worker', alone: true, clock: Date.now },
    onError: (error) => expect.unreachable(String(error)),
  })
  const stop = (graceMs: number) => worker.stop(graceMs, async () => cutOff.reject(new Error('closed')))
  return { worker, stop, waiting, taken, begun, release }
}

test('a stop gives back what was taken, begun or not', async () => {
  const hanging = Array.from({ length: 30 }, (_, index) => `hangs-${index}`)
  const { worker, stop, waiting, taken, begun } = queueOf(['well', ...hanging])
  await worker.start()
  // The endpoint is quick, so that more is taken than can begin at once.
  await waitFor(() => taken.size > begun.length - 1 && begun.length > 1, 'one that has not begun')
  await stop(20)
  expect([...taken]).toEqual([])
  expect(waiting.toSorted()).toEqual(hanging.toSorted())
})

test('a stop while more is being taken gives that back, too', async () => {
  const { worker, stop, waiting, taken, begun, release } = queueOf(['a', 'b'])
  const reading = Promise.withResolvers<void>()
  release.take = reading.promise
  await worker.start()
  await waitFor(() => waiting.length === 0, 'the taking')
  setTimeout(reading.resolve, 20)
  await stop(10_000)
  expect([[...taken], begun, waiting.toSorted()]).toEqual([[], [], ['a', 'b']])
})
