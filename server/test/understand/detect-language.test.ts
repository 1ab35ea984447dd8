import { eld } from 'eld/extrasmall'
import { expect, test } from 'vitest'
import { detectLanguage, guessLanguage } from '../../src/language/detect-language.ts'

test.each([
  ['Was kostet der Versand?', 'en', 'de'],
  ['Wat kost de verzending?', 'en', 'nl'],
  ['Versand nach Wien?', 'en', 'de'],
  ['Quanto costa la spedizione?', 'en', 'it'],
  ['How much is shipping?', 'de', 'en'],
  ['Is it waterproof?', 'fr', 'en'],
])('a short question of %s to a bot that speaks %s is in %s', async (text, bot, language) => {
  expect(await detectLanguage(text, bot)).toBe(language)
})

test.each(['cheapest tent', 'Atlas jacket', 'red boots 42', 'ok thanks'])(
  'of "%s" nothing but names is seen, so it is in the bot’s language',
  async (text) => {
    expect([await detectLanguage(text, 'en'), await detectLanguage(text, 'de')]).toEqual(['en', 'de'])
  },
)

test.each([
  'Où est ma commande ?',
  'Dónde está mi pedido',
  "I don't know it's there",
  'где мой заказ',
  'Größe ändern',
  '',
  '42',
])('the tables read as text say of "%s" what the library says', async (text) => {
  const detection = eld.detect(text)
  const expected = { language: detection.language, isReliable: detection.isReliable(), scores: detection.getScores() }
  expect(await guessLanguage(text)).toEqual(expected)
})
