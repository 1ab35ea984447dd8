// How an answer is composed from the part of a passage that the reader model has marked.
import { expect, test } from 'vitest'
import { composeFromWords } from '../../src/answers/compose/compose-answer.ts'
import { composeFromReadings } from '../../src/answers/compose/compose-from-readings.ts'
import { createQuestion } from '../../src/answers/compose/question-terms.ts'
import { isSuggestable } from '../../src/answers/compose/suggestions/is-suggestable.ts'
import { confidenceFeatures } from '../../src/answers/confidence/confidence-features.ts'
import wordModels from '../../src/answers/confidence/confidence-model.json' with { type: 'json' }
import { readingFeatureNames } from '../../src/answers/confidence/reading-confidence.ts'
import readingModel from '../../src/answers/confidence/reading-confidence-model.json' with { type: 'json' }
import type { Hit } from '../../src/answers/types.ts'
import { analyseQuestion } from '../../src/language/analyse.ts'

const signals = { words: 1, grams: 1, sentence: 1, vector: 0, title: 0, coverage: 1, pairs: 0, answerType: 0 }

interface Marked {
  mark?: string
  relevance?: number
  polarity?: number
}

let number = 0
function hit(text: string, { mark = text, relevance = 6, polarity = 0 }: Marked = {}): Hit {
  const id = `p${number++}`
  const start = text.indexOf(mark)
  const passage = { title: 'Page', url: null, headings: ['Section'], anchor: null, language: 'en' }
  const reading = { relevance, polarity, span: { start, end: start + mark.length, lead: 8 } }
  return { passage: { ...passage, id, documentId: id, text }, score: 1, signals, reading }
}

const asked = (text: string) => createQuestion(analyseQuestion(text, 'en'), { rarity: () => 1 })

function told(question: string, ...hits: Hit[]) {
  return composeFromReadings(asked(question), hits, 'https://docent.test')
}

const prices = `Prices for parcels:
- Germany: Zone A, Countries Germany, Austria, Standard £5, Express £9
- France: Zone B, Countries France, Spain, Standard £7, Express £12`

test('a fact from a table is quoted as its cell with the names of row and column', () => {
  expect(told('how much is express to france', hit(prices, { mark: '£12' })).text).toBe('France: Express £12')
  expect(told('what is the zone of spain', hit(prices, { mark: 'Spain' })).text).toBe('France: Countries France, Spain')
})

test('a question about a list gets the whole list, a question about one thing gets its item', () => {
  const papers = 'Bring these:\n- a passport or licence\n- a bank card in your name\n- a deposit of £50'
  expect(told('what papers do i need', hit(papers, { mark: 'a passport or licence' })).text).toBe(papers)
  expect(told('how much is the deposit', hit(papers, { mark: '£50' })).text).toBe('a deposit of £50')
})

test('of a table, only the rows named by the question and the marked row are shown', () => {
  const cells =
    'Standard 3.90 €, arrives in two to four working days by parcel service, Express 9.90 €, arrives in a day'
  const countries = ['Germany', 'Austria and Belgium', 'France', 'Italy', 'Poland', 'Spain', 'Sweden', 'Norway']
  const table = countries.map((name) => `- ${name}: ${cells}`).join('\n')
  const shown = (question: string, marked: string) =>
    told(question, hit(table, { mark: `${marked}: Standard`, relevance: 1 })).text
  expect(shown('and what does it cost norway?', 'Norway')).toBe(`Norway: ${cells}`)
  expect(shown('and what does it cost norway?', 'Germany')).toBe(`- Germany: ${cells}\n- Norway: ${cells}`)
  expect(shown('what does it cost norway or italy?', 'Italy')).toBe(`- Italy: ${cells}\n- Norway: ${cells}`)
  expect(shown('what does it cost?', 'Germany')).toContain('- Poland')
  expect(shown('what are the costs, norway?', 'Germany')).toContain('- Poland')
})

test('rows of a table are not shown without what they mean', () => {
  const forbidden = 'No, not everything.\n- Batteries: lithium, lead\n- Liquids: paint, oil\n- Plants: seeds, bulbs'
  const unsure = { relevance: 1 }
  expect(told('can i send batteries', hit(forbidden, { mark: 'lithium', ...unsure })).text).toBe(
    'No, not everything.\n- Batteries: lithium, lead',
  )
  const goods =
    'We do not carry these goods.\n- Batteries: lithium, lead\n- Liquids: paint, oil\n- Plants: seeds, bulbs'
  expect(told('can i send batteries', hit(goods, { mark: 'lithium', ...unsure })).text).toBe(
    'We do not carry these goods.\n- Batteries: lithium, lead',
  )
  const lists =
    'Shipping to:\n- Germany: 4 €\n- France: 6 €\n- Italy: 7 €\nCustoms duty for:\n- Norway: 25 %\n- Switzerland: 8 %'
  expect(told('what does it cost to send to norway, germany', hit(lists, { mark: '4 €', ...unsure })).text).toBe(
    'Shipping to:\n- Germany: 4 €',
  )
  const week = '- Monday to Friday: 9:00 to 18:00\n- Saturday: 10:00 to 14:00\n- Sunday: closed'
  expect(told('are you open on tuesday or sunday', hit(week, { mark: 'closed', ...unsure })).text).toBe(week)
  const days = '- Saturday: 10:00 to 14:00\n- Sunday: closed\n- Monday: 9:00 to 18:00'
  expect(told('are you open any day besides sunday', hit(days, { mark: 'closed', ...unsure })).text).toBe(days)
  const grouped = 'Germany:\n- Standard: 4 €\n- Express: 9 €\nNorway:\n- Standard: 12 €\n- Express: 25 €'
  expect(told('how much is express to norway', hit(grouped, { mark: '25 €', ...unsure })).text).toBe(grouped)
})

test('an answer begins with yes or no only if the reader model and the wording agree', () => {
  const next = 'Express parcels ordered before noon arrive on the next working day.'
  const wrap = 'We do not wrap presents.'
  expect(told('does express arrive the next day', hit(next, { polarity: 5 })).text).toBe(`Yes. ${next}`)
  expect(told('does express arrive the next day', hit(next, { polarity: -5 })).text).toBe(next)
  expect(told('can you wrap it', hit(wrap, { polarity: -5 })).text).toBe(`No. ${wrap}`)
  expect(told('how can i cancel and have my money back', hit(wrap, { polarity: -5 })).text).toBe(wrap)
})

test('a close second section is shown and named as a source, a distant one is not', () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')
  const first = hit(`${words(70)}.`, { relevance: 1 })
  const both = told('what about it', first, hit(`${words(60)}.`, { relevance: 0 }))
  expect(both.used).toHaveLength(2)
  expect(both.sources).toHaveLength(2)
  expect(both.text.split(/\s+/).length).toBeLessThanOrEqual(120)
  expect(both.text.match(/\*\*Section\*\*/g)).toHaveLength(2)
  expect(told('what about it', first, hit('Far away.', { relevance: -7 })).used).toEqual([first])
})

test.each(['Returns', '12 May 2024', 'v2.1.0', 'Learn more', 'Related articles', 'On this page', 'Back to top'])(
  '"%s" is not offered as a question',
  (label) => {
    expect(isSuggestable(label)).toBe(false)
  },
)

test.each(['Returning a gift', 'Do you ship abroad?', 'Warum?', '退货政策'])(
  '"%s" is offered as a question',
  (label) => {
    expect(isSuggestable(label)).toBe(true)
  },
)

test('the confidence models use only features that are still computed', () => {
  const question = asked('how much is express to france')
  const hits = [hit(prices)]
  const features = confidenceFeatures(question, hits, composeFromWords(question, hits, '')) ?? {}
  const fitted = [wordModels.pages, wordModels.product].flatMap((models) => Object.values(models))
  const weighed = fitted.flatMap(({ found, holds }) => [...Object.keys(found.weights), ...Object.keys(holds.weights)])
  expect(new Set(weighed).difference(new Set(Object.keys(features)))).toEqual(new Set())
  expect(readingFeatureNames).toEqual(expect.arrayContaining(Object.keys(readingModel.weights)))
})
