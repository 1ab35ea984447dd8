import { expect, test } from 'vitest'
import { seeksInformation } from '../../src/answers/understand/seeks-information.ts'

test.each([
  'Does it have a good view?',
  'How quiet are the rooms?',
  'Are pets allowed?',
  'What is the return policy?',
  'why is my card blocked?',
  'return policy',
])('"%s" asks', (text) => {
  expect(seeksInformation({ text })).toBeGreaterThan(0.4)
})

test.each([
  'Yes, book it for 3 people on Tuesday please.',
  'No thanks, that’s all.',
  'Ok, sounds good',
  'I need a room for two nights in the north',
  'Thank you, bye',
])('"%s" does not', (text) => {
  expect(seeksInformation({ text, previous: 'Shall I book it?' })).toBeLessThan(0.4)
})

test.each([
  ['de', 'Wie lange dauert die Lieferung?'],
  ['fr', 'Quels sont vos horaires ?'],
  ['es', '¿Cuánto cuesta?'],
  ['it', 'Quanto costa?'],
  ['pt', 'Quanto custa?'],
  ['nl', 'Wat kost het?'],
  ['pl', 'Ile to kosztuje?'],
  ['sv', 'Vad kostar det?'],
  ['da', 'Hvad koster det?'],
  ['tr', 'Kargo ne kadar?'],
  ['ar', 'كم السعر؟'],
  ['ru', 'Сколько стоит?'],
  ['zh', '多少钱?'],
  ['ja', 'いくらですか?'],
])('in %s "%s" asks', (language, text) => {
  expect(seeksInformation({ text, language, previous: 'Hallo.' })).toBeGreaterThan(0.6)
})

test('a request for a phone number counts as knowledge unless records live elsewhere', () => {
  const text = 'What is your phone number?'
  expect(seeksInformation({ text })).toBeGreaterThan(0.6)
  expect(seeksInformation({ text, recordsElsewhere: true })).toBeLessThan(seeksInformation({ text }))
})
