import { expect, test } from 'vitest'
import { answerToFix } from '../src/features/conversation/answer-to-fix.ts'
import { mentionedIn } from '../src/features/conversation/mentions.ts'

test('a curated answer in place of a reply starts with it, unless the bot was not sure of it', () => {
  const text = 'Parcels take two days.'
  expect(answerToFix({ text, decision: 'answer' })).toBe(text)
  expect(answerToFix({ text, decision: 'curated' })).toBe(text)
  expect(answerToFix({ text: `I’m not sure, but this may help: ${text}`, decision: 'suggest' })).toBe('')
  expect(answerToFix({ text: 'I don’t know.', decision: 'fall_back' })).toBe('')
})

test.each([
  ['@Ada please look', ['ada']],
  ['Ask @Adam.', ['adam']],
  ['@Ada, @Adam', ['ada', 'adam']],
  ['@Ada Byron knows', ['byron']],
  ['@Anne-Marie (x)?', ['anne']],
  ['nobody', []],
])('"%s" mentions those whose names are left in it', (text, ids) => {
  const pickedMembers = new Map(
    Object.entries({ ada: 'Ada', adam: 'Adam', byron: 'Ada Byron', anne: 'Anne-Marie (x)' }),
  )
  expect(mentionedIn(text, pickedMembers)).toEqual(ids)
})

test('nobody is mentioned where nobody was picked', () => {
  expect(mentionedIn('@Ada', new Map())).toEqual([])
})
