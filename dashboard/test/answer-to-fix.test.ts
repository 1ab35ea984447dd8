import { expect, test } from 'vitest'
import { answerToFix } from '../src/features/conversation/answer-to-fix.ts'

test('a curated answer in place of a reply starts with it, unless the bot was not sure of it', () => {
  const text = 'Parcels take two days.'
  expect(answerToFix({ text, decision: 'answer' })).toBe(text)
  expect(answerToFix({ text, decision: 'curated' })).toBe(text)
  expect(answerToFix({ text: `I’m not sure, but this may help: ${text}`, decision: 'suggest' })).toBe('')
  expect(answerToFix({ text: 'I don’t know.', decision: 'fall_back' })).toBe('')
})
