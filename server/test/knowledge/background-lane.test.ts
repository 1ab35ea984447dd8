// Long background work runs in small steps, one at a time, with longer gaps while questions are answered.
import { expect, test } from 'vitest'
import { openBackgroundLane } from '../../src/catalogue/background-lane.ts'

test('workers take turns, one step per turn of the event loop', async () => {
  const { nextSlice } = openBackgroundLane()
  const order: string[] = []
  const work = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await nextSlice()
      order.push(name)
    }
  }
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all([work('a'), work('b')])
  isDone = true
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('while a question is answered, steps are further apart but continue', async () => {
  const { nextSlice, runFirst } = openBackgroundLane()
  const startMs = performance.now()
  await runFirst(async () => {
    for (let piece = 0; piece < 5; piece++) await nextSlice()
  })
  const apart = performance.now() - startMs
  expect(apart).toBeGreaterThan(15)
  // A failed question has ended too.
  await expect(runFirst(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
