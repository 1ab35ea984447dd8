// Messages crafted to slow down a regular expression or a search must not block the server for everybody. Measured in
// CPU time, which other load hardly affects; with cubic growth it would be minutes.
import type { ActionInput } from '@docent/contract'
import { HANDOVER_KEYWORDS } from '@docent/contract/limits'
import { expect, test } from 'vitest'
import { isAnswer } from '../../src/actions/dialogue-words.ts'
import { readInput } from '../../src/actions/inputs.ts'
import { questionParts } from '../../src/answers/compose/question-shape.ts'
import { personRequestLanguage } from '../../src/answers/understand/asks-for-person.ts'
import { contactDetails, hasContactDetails, phoneNumber } from '../../src/answers/understand/contact-details.ts'
import { relevantTurns, resolveFollowUp } from '../../src/answers/understand/follow-up.ts'
import { questionKey } from '../../src/answers/understand/question-key.ts'
import { questionText } from '../../src/answers/understand/question-text.ts'
import { maskSecrets } from '../../src/answers/understand/secrets.ts'
import { smallTalk } from '../../src/answers/understand/small-talk.ts'
import { openBotCatalogue } from '../../src/catalogue/index/bot-catalogue.ts'
import { makeProductIndex, putProduct } from '../../src/catalogue/index/product-index.ts'
import type { Product } from '../../src/catalogue/product.ts'
import { normaliseProduct } from '../../src/catalogue/products/normalise-product.ts'
import { LONGEST_PRODUCT_QUESTION, parseProductQuestion } from '../../src/catalogue/question/parse-product-question.ts'
import { parseMeasureRanges, parsePriceRange } from '../../src/catalogue/question/parse-ranges.ts'
import { mentionsKeyword } from '../../src/conversations/answer-visitor.ts'
import { lastQuestion } from '../../src/conversations/suggestions.ts'
import { asksForTranscript } from '../../src/conversations/visitor-mails.ts'
import { readVocabularyWords } from '../../src/inference/model-files.ts'
import { analyseQuestion, contentStems } from '../../src/language/analyse.ts'
import { chatLanguage } from '../../src/language/chat-language.ts'
import { expandChatSpelling } from '../../src/language/chat-spelling.ts'
import { correctSpelling } from '../../src/language/correct-spelling.ts'
import { detectLanguage } from '../../src/language/detect-language.ts'
import { withoutValues } from '../../src/language/fold.ts'
import { type Language, languages } from '../../src/language/languages.ts'
import { plainText } from '../../src/language/plain-text.ts'
import { sentences } from '../../src/language/sentences.ts'
import { buildCuratedIndex, matchCurated } from '../../src/search/curated/curated-index.ts'
import { buildSegment } from '../../src/search/index/build-segment.ts'
import { planQuery } from '../../src/search/query/plan-query.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createSyncKey, syncProducts } from '../harness/tenants.ts'
import { expectBelow } from '../harness/timing.ts'

const LONGEST = { widget: 4000, chat: 10_000 }
/** What is read of a question; see question-text.ts. */
const LONGEST_QUESTION = 2000
const MAX_ANALYSIS_MS = 10
const MAX_CALL_MS = 60

const digits = [
  '1',
  '1 ',
  '1.',
  '1,',
  '1-',
  '12 ',
  '12345 ',
  '1000000 ',
  '+1',
  '+ ',
  '(1',
  '1)',
  '(0',
  '0 ',
  '00',
  '1x',
]
const numbers = [
  '٣',
  '٣ ',
  '½',
  '²',
  '①',
  '12.05.2024 ',
  '24/7 ',
  '12:30 ',
  '1,000.00 ',
  '#1 ',
  '$5 ',
  'x=1&',
  'a12345 ',
]
const phones = [
  '+43 664 1234567 ',
  '0664 1234567, ',
  'tel 1 2 3 4 5 6, ',
  'order number is 12345, ',
  '(0(1)2(3)4)5x',
  '订1',
]
const letters = [
  ' ',
  'a',
  'a ',
  'aA',
  'aaA',
  'x y ',
  'ß',
  'e\u0301',
  'İ',
  'ﬁ',
  'с ',
  'م',
  'ไ',
  'ﷺ',
  'Ǆ',
  'हि',
  '가',
  'あ',
  'ア',
  '请',
  '你好',
]
const marks = [
  '-',
  '.',
  '(',
  '\n',
  '\t ',
  "l'",
  '€---',
  '%',
  '<',
  '[a](',
  '*',
  '_',
  '`',
  '? ',
  '?',
  '!',
  ', ',
  '\u200b',
  '\u0301',
]
const dates = ['may ', '1 may ', '12/', '2026-', '1月', '-1', '/a', 'a1-', '1/']
const markup = ['**a ', '__a ', '| ', '# ']
const addresses = ['@a', 'a@', 'a@a.', 'a@a-', 'a-', 'http://a.', '://', 'a/', '..', '&amp;', '👨‍👩‍👧']
const phrases = [
  'order ',
  'call me ',
  'tel ',
  'no no ',
  '# ',
  ': ',
  'hello ',
  'thanks ',
  'do you have ',
  'what is ',
  'retunrs ',
]
const shopping = ['under 5 ', 'between 1 and ', 'size m ', 'red ', 'or ', 'cheapest ', 'how long ', 'and what about ']
const measures = [
  '1 cm ',
  '5 cm x ',
  '100 x 200 x ',
  'at least ',
  'less than 10 ',
  'from 5 to 10 ',
  'kg ',
  'Wanderschuhe',
]
const fragments = [
  digits,
  numbers,
  phones,
  letters,
  marks,
  addresses,
  phrases,
  shopping,
  measures,
  dates,
  markup,
].flat()
const ends = ['', 'x +43 664 1234567', ' 0664 1234567', ' under 80 €?']

const pages = [
  'Returns are free within 30 days of the order.',
  'Red hiking boots in sizes S to XL, from 80 to 120 EUR.',
]
const segments = [
  buildSegment(
    pages.map((text, n) => ({ id: `p${n}#0`, title: 'How we work', headings: ['Returns'], text, language: 'en' })),
  ),
]
const products = Array.from({ length: 50 }, (_, n) => ({
  id: `p${n}`,
  title: ['Red hiking boots', 'Rain jacket', 'Wanderschuhe', 'Aurora tent', 'あおい テント'][n % 5],
  price: `${20 + n} EUR`,
  attributes: { colour: ['red', 'blue'][n % 2], size: ['S', 'M', '100 x 200 cm'][n % 3], weight: `${n} kg` },
}))
const productIndex = makeProductIndex('en')
for (const item of products)
  putProduct(productIndex, normaliseProduct(item, { siteUrl: null, now: 0 }).product as Product)
const catalogue = openBotCatalogue(
  { id: 'bot', currency: 'EUR' },
  productIndex,
  { findMany: async () => [] },
  async () => [],
)
const curatedIndex = buildCuratedIndex(
  Array.from({ length: 500 }, (_, n) => ({
    id: `a${n}`,
    question: `How do I return order number ${n}?`,
    alternatives: [`Where is parcel ${n}`, `red boots in size ${n}`],
    language: 'en',
  })),
)
const { wordRanks, frequentWords } = readVocabularyWords()
const vocabulary = {
  inContent: (word: string) => word === 'returns',
  isWritten: (word: string) => word === 'returns',
  rank: (word: string) => wordRanks.get(word),
  isFrequent: (word: string) => frequentWords.has(word),
}
/** As many and as long as a bot may have, and some that are everywhere in a hostile text. */
const keywords = Array.from({ length: HANDOVER_KEYWORDS }, (_, n) =>
  n < 5 ? 'a1xyz'.charAt(n) : `${fragments[n]?.repeat(100).slice(0, 98)}${n}`,
)

/** Everything that reads a visitor's text, with as much of it as it gets. */
const analyses: [name: string, longest: number, run: (text: string, language: Language) => unknown][] = [
  ['contactDetails', LONGEST.widget, (text) => contactDetails(text, 'AT')],
  ['hasContactDetails', LONGEST.chat, (text) => hasContactDetails(text, 'US')],
  ['phoneNumber', LONGEST.widget, (text) => phoneNumber(text, 'DE')],
  ['questionKey', LONGEST.chat, questionKey],
  ['asksForTranscript', LONGEST.widget, asksForTranscript],
  ['detectLanguage', LONGEST_QUESTION, (text) => detectLanguage(text, 'en')],
  ['expandChatSpelling', LONGEST_QUESTION, (text) => expandChatSpelling(text, 'en')],
  ['chatLanguage', LONGEST_QUESTION, (text) => chatLanguage(text, [], { language: 'en', locale: 'de' })],
  ['smallTalk', LONGEST_QUESTION, smallTalk],
  ['personRequestLanguage', LONGEST_QUESTION, personRequestLanguage],
  ['lastQuestion', LONGEST.chat, (text) => lastQuestion([text], 'en')],
  ['withoutValues', LONGEST_QUESTION, withoutValues],
  ['maskSecrets', LONGEST.chat, maskSecrets],
  ['plainText', LONGEST.widget, (text) => plainText(text, { links: true })],
  ...(['string', 'number', 'boolean', 'email', 'date', 'choice'] as const).map(
    (type): [string, number, (text: string) => unknown] => [
      `the ${type} of an action`,
      LONGEST_QUESTION,
      (text) => readInput(inputOf(type), text, inputContext),
    ],
  ),
  ['analyseQuestion', LONGEST_QUESTION, (text) => analyseQuestion(text, 'en')],
  ['questionParts', LONGEST_QUESTION, (text) => questionParts(text, 'en')],
  ['sentences', LONGEST_QUESTION, (text) => sentences(text, 'en')],
  ['parseMeasureRanges', LONGEST_PRODUCT_QUESTION, parseMeasureRanges],
  ['parsePriceRange', LONGEST_PRODUCT_QUESTION, parsePriceRange],
  ['parseProductQuestion', LONGEST_QUESTION, (text, language) => parseProductQuestion(text, language, catalogue)],
  ['correctSpelling', LONGEST_QUESTION, (text, language) => correctSpelling(text, vocabulary, language)],
  ['planQuery', LONGEST_QUESTION, (text, language) => planQuery(analyseQuestion(text, language), segments)],
  ['matchCurated', LONGEST_QUESTION, (text, language) => matchCurated(curatedIndex, text, { language })],
  ['resolveFollowUp', LONGEST_QUESTION, resolveAfterItself],
  ['the keywords of a handover', LONGEST.chat, (text) => mentionsKeyword(keywords, text)],
]

/** A question that was asked before. */
function resolveAfterItself(question: string, language: Language) {
  const analyze = (text: string) => contentStems(text, language)
  const history = relevantTurns([{ role: 'user', text: question }], language)
  return resolveFollowUp({ question, stems: analyze(question), history, language, analyze })
}

const languageAt = (index: number): Language => languages[index % languages.length] ?? 'en'

const inputOf = (type: ActionInput['type']): ActionInput => ({
  name: 'order_number',
  description: 'Your order number',
  type,
  required: true,
  ask: null,
  pattern: null,
  ...(type === 'choice' ? { choices: ['Express', 'Express delivery', 'Standard'] } : {}),
})
const inputContext = {
  language: 'de',
  now: 0,
  asked: true,
  isYes: (text: string) => isAnswer('yesWords', text),
  isNo: (text: string) => isAnswer('noWords', text),
}

function hostileText(index: number, longest: number, attempt: number): string {
  const start = ['order', 'tel', 'a'][index % 3] ?? ''
  const end = ends[(index + 1) % ends.length] ?? ''
  return (start + fragments[index]?.repeat(longest)).slice(0, longest - attempt - end.length) + end
}

test.each(analyses)('%s takes under 10 ms for a text of any repeated fragment', async (_name, longest, run) => {
  const textOf = (text: string) => (longest === LONGEST_QUESTION ? questionText(text) : text)
  // Patterns are compiled when a language is first used, for Latin and for other letters.
  for (const end of ['.', '。'])
    for (let n = 0; n < 3 * languages.length; n++)
      await run(`load the tables of this language${end.repeat(n)}`, languageAt(n))
  for (const [index, fragment] of fragments.entries())
    await expectBelow(MAX_ANALYSIS_MS, async (attempt) => ({
      [fragment]: await measureCpuMs(() => run(textOf(hostileText(index, longest, attempt)), languageAt(index))),
    }))
})

test('a message of any repeated fragment is answered in time, with contacts, products and pages to search', async () => {
  const environment = {
    WIDGET_MESSAGES_PER_MINUTE: '100000',
    WIDGET_REQUESTS_PER_MINUTE: '100000',
    WIDGET_SESSIONS_PER_HOUR: '100000',
  }
  const { call, createBot } = await startServer('sqlite', { environment })
  const text = 'Returns are free within 30 days. Call us about an order number before you send anything back.'
  const { botId, key } = await createBot({ documents: [{ id: 'returns', title: 'Returns', text }] })
  const products = [
    { id: '1', title: 'Red hiking boots', price: '80 EUR', attributes: { colour: 'red', size: 'M' } },
    { id: '2', title: 'Rain jacket', price: '120 EUR' },
  ]
  await syncProducts(call, await createSyncKey(call, botId, ADMIN_TOKEN), { products })
  const params = { botId }
  for (const [index, fragment] of fragments.entries()) {
    await expectBelow(MAX_CALL_MS, async (attempt) => {
      const chat = { bot_id: botId, message: hostileText(index, LONGEST.chat, attempt) }
      const widget = { message: hostileText(index, LONGEST.widget, attempt), locale: 'de-AT' }
      const statuses: number[] = []
      const cpuMs = {
        [`chat ${fragment}`]: await measureCpuMs(async () => {
          statuses.push((await call('POST /api/v1/chat', { token: key, body: chat })).status)
        }),
        [`widget ${fragment}`]: await measureCpuMs(async () => {
          statuses.push((await call('POST /api/chat/{botId}/message', { params, body: widget })).status)
        }),
      }
      expect(statuses).toEqual([200, 200])
      return cpuMs
    })
  }
})

test('a question after ten messages of any repeated sign is answered in time', async () => {
  const environment = { WIDGET_MESSAGES_PER_MINUTE: '100000', WIDGET_REQUESTS_PER_MINUTE: '100000' }
  const { call, createBot } = await startServer('sqlite', { environment })
  const documents = [{ id: 'returns', title: 'Returns', text: 'Returns are free within 30 days.' }]
  const { botId } = await createBot({ documents })
  const params = { botId }
  for (const sign of ['\n', '.\n', 'ﷺ', '- ', 'a']) {
    const message = `order${sign.repeat(LONGEST.widget)}`.slice(0, LONGEST.widget - 1).concat('x')
    const first = await call('POST /api/chat/{botId}/message', { params, body: { message } })
    const headers = { 'x-visitor-token': first.body.visitor_token }
    const say = (text: string) =>
      call('POST /api/chat/{botId}/message', {
        params,
        headers,
        body: { session_id: first.body.session_id, message: text },
      })
    for (let n = 0; n < 9; n++) await say(message)
    await expectBelow(MAX_CALL_MS, async () => ({
      [sign]: await measureCpuMs(async () => expect((await say('And how long do returns take?')).status).toBe(200)),
    }))
  }
})
