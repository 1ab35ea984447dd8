import { expect, test } from 'vitest'
import { readWordRanks } from '../../src/inference/model-files.ts'
import { correctSpelling } from '../../src/language/correct-spelling.ts'

const ranks = readWordRanks()
const content = new Set(['refund', 'parcel', 'weather', 'zulip', 'compost'])
const has = (word: string) => content.has(word)
const correct = (text: string) =>
  correctSpelling(text, { inContent: has, isWritten: has, rank: (word) => ranks.get(word) })

test.each([
  ['how many secconds before it goes', 'how many seconds before it goes'],
  ['longest possible message lenght?', 'longest possible message length?'],
  ['Garantee on backpacks', 'guarantee on backpacks'],
  ['i lost my recipt, the catagory and the calender', 'i lost my receipt, the category and the calendar'],
  ['where is my parcl', 'where is my parcel'],
])('a typo is corrected: %s', (written, right) => {
  expect(correct(written)).toBe(right)
})

test.each([
  'it doesnt work, whats wrong, theres nothing',
  'trackers, freezers, quitting, listens, squeaky, empties',
  'do you take Venmo or paypal',
  'is parsley fine in the compost, with a projector',
  'can I pay with Garantee',
  'order-nubmer A12seccond, naïve café',
  'Wie lange dauert die Lieferung',
])('what is right, a name or a code stays: %s', (text) => {
  expect(correct(text)).toBe(text)
})

test('a text of unknown words costs no more lookups than a question with a dozen typos', () => {
  const unknown = Array.from({ length: 200 }, (_, n) => `zqx${String.fromCharCode(97 + (n % 26), 97 + (n % 25))}kw`)
  let lookups = 0
  const rank = () => {
    lookups++
    return undefined
  }
  correctSpelling(unknown.join(' '), { inContent: () => false, isWritten: () => false, rank })
  expect(lookups).toBeLessThan(20_000)
})
