import { expect, test } from 'vitest'
import { mentionedIn } from '../src/features/conversation/mentions.ts'

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
