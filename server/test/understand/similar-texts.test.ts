import { expect, test } from 'vitest'
import { compareTexts } from '../../src/answers/understand/similar-texts.ts'

test('many texts are compared in order, and leave room for other work', async () => {
  const texts = Array.from({ length: 1000 }, (_, at) => (at === 700 ? 'A broken tent pole' : `Gift card ${at}`))
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const similar = await compareTexts('My tent pole is broken', texts, 'en')
  isDone = true
  expect(similar.flatMap(({ overlap }, at) => (overlap > 0 ? [at] : []))).toEqual([700])
  expect(turns).toBeGreaterThanOrEqual(4)
})
