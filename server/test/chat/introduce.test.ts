// The sentence before an answer that is in another language than the visitor's.
import { expect, test } from 'vitest'
import { introduce } from '../../src/answers/introduce.ts'

const formal = { tone: 'formal' } as const
const page = 'Our parcels are packed by hand. They leave on the day of the order.\nStandard: £3.95'

test.each([
  ['de', 'Das habe ich auf Englisch gefunden:'],
  ['fr', 'J’ai trouvé ceci en anglais :'],
  ['nl', 'Dit heb ik in het Engels gevonden:'],
])('in %s, a quote in another language is introduced', (language, sentence) => {
  const text = introduce({ text: 'They leave on the day of the order.', language: 'en' }, language, formal)
  expect(text.replaceAll('\u00a0', ' ')).toBe(`${sentence}\n\nThey leave on the day of the order.`)
})

test('a quote without words that tell its language is introduced by that of its page', () => {
  const quote = { text: 'Standard: £3.95', language: 'en', around: page }
  expect(introduce(quote, 'de', formal)).toMatch(/^Das habe ich auf Englisch gefunden:\n\nStandard/)
  const german = { ...quote, around: 'Unsere Pakete werden von Hand gepackt und gehen noch am selben Tag ab.' }
  expect(introduce(german, 'de', formal)).toBe(quote.text)
  expect(introduce({ text: quote.text, language: 'en' }, 'de', formal)).toBe(quote.text)
})

test('a quote in the language of the visitor is not introduced, whatever its page was taken for', () => {
  const text = 'Die Pakete gehen noch am selben Tag ab.'
  expect(introduce({ text, language: 'en', around: page }, 'de', formal)).toBe(text)
  expect(introduce({ text, language: 'de-AT' }, 'de', formal)).toBe(text)
})

test('"Yes." comes before the introduction, since it is in the language of the visitor', () => {
  const text = 'Ja. They leave on the day of the order.'
  expect(introduce({ text, language: 'en', around: page, opening: 'Ja.' }, 'de', formal)).toBe(
    'Ja. Das habe ich auf Englisch gefunden:\n\nThey leave on the day of the order.',
  )
  const german = 'Ja. Die Pakete gehen noch am selben Tag ab.'
  expect(introduce({ text: german, language: 'en', around: page, opening: 'Ja.' }, 'de', formal)).toBe(german)
})
