// Long work takes turns: one piece at a time whoever it is of, and further apart while questions are answered.
import { expect, test } from 'vitest'
import { createBackgroundLane } from '../../src/knowledge/background/background-lane.ts'

test('workers in the lane take turns, one in each turn of the event loop', async () => {
  const { turn } = createBackgroundLane()
  const order: string[] = []
  const work = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await turn()
      order.push(name)
    }
  }
  let turns = 0
  let done = false
  const count = () => {
    turns++
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all([work('a'), work('b')])
  done = true
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('while a question is answered pieces come apart, and still come', async () => {
  const { turn, runFirst } = createBackgroundLane()
  const begun = performance.now()
  await runFirst(async () => {
    for (let piece = 0; piece < 5; piece++) await turn()
  })
  const apart = performance.now() - begun
  expect(apart).toBeGreaterThan(15)
  // One that fails is over, too.
  await expect(runFirst(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
