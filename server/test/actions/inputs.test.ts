// Values as people write them.
import type { ActionInput } from '@docent/contract'
import { expect, test } from 'vitest'
import { readInput } from '../../src/actions/inputs.ts'

const now = Date.UTC(2026, 10, 18)

function read(input: Partial<ActionInput>, message: string, language = 'en') {
  const whole: ActionInput = { name: 'it', type: 'string', description: 'It', required: true, ...input }
  return readInput(whole, message, { language, now, asked: true, isYes: () => false, isNo: () => false })
}

const dates: [string, string, string][] = [
  ['en', '31 March', '2027-03-31'],
  ['en', 'March 31st, 2028', '2028-03-31'],
  ['en', '3 Sept', '2027-09-03'],
  ['en', 'maybe 5 December', '2026-12-05'],
  ['en', 'at the market 5 December', '2026-12-05'],
  ['en', 'I may come tomorrow', '2026-11-19'],
  ['de', 'am 3. März', '2027-03-03'],
  ['es', '3 de enero de 2027', '2027-01-03'],
  ['pl', '5 maja', '2027-05-05'],
  ['ar', '5 مارس', '2027-03-05'],
]

test.each(dates)('in "%s", "%s" is %s', (language, message, date) => {
  expect(read({ type: 'date' }, message, language)).toBe(date)
})

test('a pattern that matches nothing finds nothing', () => {
  expect(read({ pattern: '[0-9]*' }, 'hello!')).toBeNull()
  expect(read({ pattern: '[0-9]*' }, 'it is 123!')).toBe('123')
})

test('a slow pattern is given up after three times, also when it matches in between', () => {
  const pattern = '(a+)+z'
  for (let time = 0; time < 3; time++) {
    expect(read({ pattern }, 'aaz')).toBe('aaz')
    expect(read({ pattern }, 'a'.repeat(60))).toBeNull()
  }
  expect(read({ pattern }, 'aaz')).toBeNull()
})
