// Values as people write them.
import type { ActionInput } from '@docent/contract'
import { expect, test } from 'vitest'
import { isAnswer } from '../../src/actions/dialogue-words.ts'
import { readInput, spokenValue } from '../../src/actions/inputs.ts'

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
  ['de', 'übermorgen', '2026-11-20'],
  ['fr', 'après-demain', '2026-11-20'],
  ['es', 'pasado mañana', '2026-11-20'],
  ['es', 'mañana por la mañana', '2026-11-19'],
  ['es', 'hoy por la mañana', '2026-11-18'],
  ['pt', 'depois de amanhã', '2026-11-20'],
  ['pl', '5 maja', '2027-05-05'],
  ['ar', '5 مارس', '2027-03-05'],
  ['ar', '٥ مارس', '2027-03-05'],
  ['ar', 'غدا', '2026-11-19'],
  ['sv', 'imorgon', '2026-11-19'],
  ['sv', 'i morgon kväll', '2026-11-19'],
  ['da', 'idag', '2026-11-18'],
  ['tr', '5 Mayıs', '2027-05-05'],
  ['ru', '5 мая', '2027-05-05'],
  ['zh', '5月3号', '2027-05-03'],
  ['zh', '明天下午', '2026-11-19'],
  ['ja', '５月３日', '2027-05-03'],
  ['ja', '明日お願いします', '2026-11-19'],
]

test.each(dates)('in "%s", "%s" is %s', (language, message, date) => {
  expect(read({ type: 'date' }, message, language)).toBe(date)
})

test.each([
  ['3', 3],
  ['٣', 3],
  ['３', 3],
  ['3个', 3],
  ['3個お願いします', 3],
  ['ok. 2,5', 2.5],
  ['A3', null],
  ['3b', null],
])('"%s" is the number %s', (message, number) => {
  expect(read({ type: 'number' }, message)).toBe(number)
})

test.each([
  ['zh', '我要红色的', '红色'],
  ['ja', '赤色がいいです', '赤色'],
  ['en', 'the red one', 'Red'],
  ['en', 'a redder one', null],
])('in "%s", "%s" chooses %s', (language, message, choice) => {
  const choices = ['红色', '蓝色', '赤色', '青色', 'Red', 'Blue']
  expect(read({ type: 'choice', choices }, message, language)).toBe(choice)
})

test.each([
  ['yesWords', ['Ja, klar', 'Oui, c’est ça', 'Sí, claro', 'Sì, confermo', 'Isso mesmo', 'Ja, dat klopt', 'jazeker']],
  ['noWords', ['Nein, noch nicht', 'Ce n’est pas ça', 'Todavía no', 'Non è corretto', 'Está errado', 'Dat klopt niet']],
  [
    'cancelWords',
    ['Bitte abbrechen', 'J’abandonne', 'Ya no quiero', 'Ho cambiato idea', 'Deixa pra lá', 'Laat maar zitten'],
  ],
] as const)('%s are understood in the words of everyday', (kind, messages) => {
  const kinds = ['yesWords', 'noWords', 'cancelWords'] as const
  for (const message of messages)
    expect([message, kinds.filter((one) => isAnswer(one, message))]).toEqual([message, [kind]])
})

test('a morning is no day', () => {
  expect(read({ type: 'date' }, 'por la mañana', 'es')).toBeNull()
  expect(read({ type: 'date' }, 'Guten Morgen', 'de')).toBeNull()
})

test('values are repeated as the visitor would write them', () => {
  const said = (type: ActionInput['type'], value: string | number | boolean, language: string) =>
    spokenValue({ name: 'it', type, description: 'It', required: true }, value, language)
  expect(said('date', '2026-03-31', 'de')).toBe('31. März 2026')
  expect(said('date', '2026-03-31', 'pt')).toBe('31 de março de 2026')
  expect(said('date', '2026-03-31', 'en')).toBe('2026-03-31')
  expect(said('number', 1299.5, 'fr')).toBe('1299,5')
  expect(said('number', 12345, 'de')).toBe('12345')
  expect(said('boolean', true, 'it')).toBe('Sì')
  expect(said('string', '2026-03-31', 'de')).toBe('2026-03-31')
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
