import { expect, test } from 'vitest'
import { diffWords } from '../src/features/knowledge/word-diff.ts'

const told = (before: string, after: string) =>
  diffWords(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)

test('only the words that differ are removed and added', () => {
  expect(told('It costs 12 euros a day', 'It costs 15 euros a day')).toEqual([
    ' It costs ',
    '-12 ',
    '+15 ',
    ' euros a day',
  ])
  expect(told('one two', 'one two')).toEqual([' one two'])
  expect(told('', 'new')).toEqual(['+new'])
  expect(told('old', '')).toEqual(['-old'])
})

test('both texts can be read off the difference, also of long ones', () => {
  const before = `${'a b c '.repeat(200)}\nend`
  const after = `start ${'a c d '.repeat(200)}`
  const long = 'word '.repeat(5000)
  for (const [one, other] of [
    [before, after],
    [long, `${long}more`],
  ] as const) {
    const parts = diffWords(one, other)
    const read = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join('')
    expect(read('added')).toBe(one)
    expect(read('removed')).toBe(other)
  }
})
