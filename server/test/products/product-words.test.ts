// Words that mean one thing in a language and another in the next count in the language of the question alone.
import { describe, expect, test } from 'vitest'
import { openBotCatalogue } from '../../src/catalogue/index/bot-catalogue.ts'
import { makeProductIndex, putProduct } from '../../src/catalogue/index/product-index.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'
import { findDiscussion } from '../../src/catalogue/question/discussion.ts'
import { parseProductQuestion } from '../../src/catalogue/question/parse-product-question.ts'
import type { Language } from '../../src/language/languages.ts'

function openShop(language: Language, titles: string[], attributes: Record<string, string> = {}) {
  const index = makeProductIndex(language)
  for (const [n, title] of titles.entries()) {
    const item = { id: `p${n}`, title, price: '40 EUR', attributes }
    const { product } = normaliseProduct(item, { siteUrl: 'https://shop.test', now: 0 })
    if (!product) throw new Error(`not a product: ${title}`)
    putProduct(index, product)
  }
  const bot = { id: 'bot', currency: 'EUR' }
  return openBotCatalogue(bot, index, { findMany: async () => [] }, async () => [])
}

const attributes = { colour: 'purple, yellow', gender: 'men, women, unisex' }
const english = openShop(
  'en',
  ['Frying pan', 'Sports bra', 'Far headlamp', 'Barn jacket', 'Ear tips', 'Sari'],
  attributes,
)
const surfaces = (text: string, language: Language, catalogue = english) =>
  parseProductQuestion(text, language, catalogue).terms.map(({ surface }) => surface)
const says = (text: string, language: Language) => {
  const question = parseProductQuestion(text, language, english)
  return Object.entries(question.says).flatMap(([name, isSaid]) => (isSaid ? [name] : []))
}
const discussionOf = (text: string, language: Language, productIds: string[]) =>
  findDiscussion(
    parseProductQuestion(text, language, english),
    [
      { role: 'user', text: '…' },
      { role: 'assistant', text: '…', productIds },
    ],
    false,
  )

test.each([
  ["Men's jackets", 'en'],
  ['Men’s jackets', 'sv'],
  ['Men jackets', 'de'],
] as const)('“%s” continues nothing in "%s"', (text, language) => {
  expect(discussionOf(text, language, []).aboutPages).toBe(false)
  expect(discussionOf(text, language, ['p0', 'p1']).goesOn).toBe(false)
})

test.each([
  ['men jakker?', 'da'],
  ['Men tält?', 'sv'],
  ['And tents?', 'tr'],
] as const)('“%s” continues in "%s"', (text, language) => {
  expect(discussionOf(text, language, []).aboutPages).toBe(true)
})

test.each([
  ['Har I den i en anden farve?', 'da', ['p0', 'p1']],
  ['Hvad koster den anden?', 'da', ['p1']],
  ['Har I den anden farve?', 'da', ['p0', 'p1']],
  ['Finns den i andra färger?', 'sv', ['p0', 'p1']],
  ['Vilka andra jackor', 'sv', ['p0', 'p1']],
  ['Vad kostar den andra?', 'sv', ['p1']],
  ['Доставите во вторник?', 'ru', ['p0', 'p1']],
  ['Сколько стоит второй?', 'ru', ['p1']],
  ['Сколько стоит вторая?', 'ru', ['p1']],
] as const)('“%s” in "%s" is about %j', (text, language, ids) => {
  expect(discussionOf(text, language, ['p0', 'p1']).ids).toEqual(ids)
})

describe('words of other languages are names of things', () => {
  test.each([
    ['A headlamp that shines far', 'en', ['headlamp', 'shines', 'far']],
    ['frying pan', 'en', ['frying', 'pan']],
    ['barn jacket', 'en', ['barn', 'jacket']],
    ['sports bra', 'en', ['sports', 'bra']],
    ['ear tips', 'en', ['ear', 'tips']],
    ['swim fin', 'en', ['swim', 'fin']],
    ['cos lettuce', 'en', ['cos', 'lettuce']],
    ['nan bread', 'en', ['nan', 'bread']],
    ['cotton sari', 'en', ['cotton', 'sari']],
  ] as const)('“%s” in "%s"', (text, language, expected) => {
    const { terms, facets } = parseProductQuestion(text, language, english)
    expect([terms.map(({ surface }) => surface), facets]).toEqual([expected, []])
  })

  test.each([
    ['taske til min mor', 'da', 'audience'],
    ['jakke til far', 'da', 'audience'],
    ['kurtka dla pań', 'pl', 'audience'],
    ['mor çanta', 'tr', 'colour'],
    ['purple bag', 'da', 'colour'],
  ] as const)('and count in their own: “%s” in "%s"', (text, language, kind) => {
    expect(parseProductQuestion(text, language, english).facets.map((facet) => facet.kind)).toEqual([kind])
  })

  test('a woman is looked for by the words of the shop', () => {
    const [facet] = parseProductQuestion('something for women', 'en', english).facets
    expect(facet?.anyOf.map(({ key }) => key)).not.toContain('pan')
  })

  test('a friend of either sex is no criterion', () => {
    const question = parseProductQuestion('gave til min kæreste', 'da', english)
    expect([question.facets, question.terms]).toEqual([[], []])
  })
})

test.each([
  ['Do you accept visa?', 'en', []],
  ['Byte backup drive', 'en', []],
  ['swish shorts', 'en', []],
  ['Kim jacket', 'en', []],
  ['otwarty namiot', 'pl', []],
  ['Sklep jest otwarty w niedzielę?', 'pl', ['policy']],
  ['В вашем магазине есть куртки?', 'ru', []],
  ['Где ваши магазины?', 'ru', ['howTo', 'policy']],
  ['Можно забрать заказ в магазине?', 'ru', ['policy']],
  ['Visa mig jackor', 'sv', ['shopping']],
  ['Kan man swisha?', 'sv', ['policy']],
  ['Højest bedømte', 'da', ['bestRated']],
  ['Højst bedømte', 'da', ['bestRated']],
  ['Какие есть размеры?', 'ru', ['asksSizes']],
  ['Какие размеры?', 'ru', ['asksSizes']],
] as const)('“%s” in "%s" says %j', (text, language, expected) => {
  expect(says(text, language)).toEqual(expected)
})

test.each([
  ['値下げのジャケット', ['ジャケット']],
  ['いちばん軽いジャケット', ['ジャケット']],
  ['値下げでいちばん軽いジャケット', ['ジャケット']],
] as const)('“%s” is a jacket, whatever the rest asks', (text, expected) => {
  expect(surfaces(text, 'ja', openShop('ja', ['ジャケット']))).toEqual(expected)
})

test('what can be washed is not just anything', () => {
  expect(parseProductQuestion('ジャケットは洗えるものですか', 'ja', openShop('ja', ['ジャケット'])).head).toBe(0)
  expect(
    parseProductQuestion('洗えるものでジャケット', 'ja', openShop('ja', ['ジャケット'])).head,
  ).toBeGreaterThanOrEqual(0)
})

test('“højest” and “højst” limit a price', () => {
  for (const limit of ['højest 500 kr', 'højst 500 kr'])
    expect(parseProductQuestion(`telt ${limit}`, 'da', english)).toMatchObject({ maxPrice: 500, sort: 'relevance' })
})

test.each([
  ['Habt ihr am Sonntag offen?', 'de'],
  ['Habt ihr sonntags auf?', 'de'],
  ['Are you there on Sundays?', 'en'],
  ['Czy w środę jest ktoś?', 'pl'],
  ['日曜日は?', 'ja'],
] as const)('“%s” asks for opening hours, not for a product', (text, language) => {
  expect(says(text, language)).toContain('policy')
})

test('“środek” is no Wednesday', () => expect(says('Środek do impregnacji', 'pl')).not.toContain('policy'))
