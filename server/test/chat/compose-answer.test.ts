// How an answer is composed from the part of a passage that the reader model has marked.
import { expect, test } from 'vitest'
import { withoutRepeated } from '../../src/answers/answer-parts.ts'
import { composeAnswer, composeFromWords } from '../../src/answers/compose/compose-answer.ts'
import { makeQuestion } from '../../src/answers/compose/question-terms.ts'
import { didYouMean, isSuggestable, nextQuestions } from '../../src/answers/compose/suggestions.ts'
import wordModels from '../../src/answers/confidence/confidence-model.json' with { type: 'json' }
import { confidenceFeatures, READING_FEATURE_NAMES } from '../../src/answers/confidence/page-confidence.ts'
import readingModel from '../../src/answers/confidence/reading-confidence-model.json' with { type: 'json' }
import type { Hit } from '../../src/answers/types.ts'
import { analyseQuestion } from '../../src/language/analyse.ts'

const signals = { words: 1, grams: 1, sentence: 1, vector: 0, title: 0, coverage: 1, pairs: 0, answerType: 0 }

interface Marked {
  mark?: string
  relevance?: number
  polarity?: number
  language?: string
}

let number = 0
function hit(text: string, { mark = text, relevance = 6, polarity = 0, language = 'en' }: Marked = {}): Hit {
  const id = `p${number++}`
  const start = text.indexOf(mark)
  const passage = { title: 'Page', url: null, headings: ['Section'], anchor: null, language }
  const reading = { relevance, polarity, span: { start, end: start + mark.length, lead: 8 } }
  return { passage: { ...passage, id, documentId: id, text }, score: 1, signals, reading }
}

const asked = (text: string, language = 'en') => makeQuestion(analyseQuestion(text, language), { rarity: () => 1 })

function told(question: string, ...hits: Hit[]) {
  return composeAnswer(asked(question), hits, 'https://docent.test')
}

const prices = `Prices for parcels:
- Germany: Zone A, Countries Germany, Austria, Standard £5, Express £9
- France: Zone B, Countries France, Spain, Standard £7, Express £12`

test('one cell of a table is said as a sentence', () => {
  expect(told('how much is express to france', hit(prices, { mark: '£12' })).text).toBe('Express for France: £12.')
  expect(told('which zone is spain', hit(prices, { mark: 'Spain' })).text).toBe('Zone for France: B.')
  const plans = '- Solo: Price per month €5, Storage 5 GB\n- Studio: Price per month €9, Storage 50 GB'
  expect(told('price of studio', hit(plans, { mark: '€9' })).text).toBe('Studio costs €9 per month.')
  const plain = '- Students: Amount 12 %, Proof student card\n- Clubs: Amount 10 %, Proof letter'
  expect(told('how much is the discount for students', hit(plain, { mark: '12 %' })).text).toBe('Students: 12 %.')
})

test.each([
  [
    'zh',
    '工作室多少钱',
    '- 个人版: 价格 €5, 存储空间 5 GB\n- 工作室: 价格 €9, 存储空间 50 GB',
    '€9',
    '工作室的价格是€9。',
  ],
  [
    'zh',
    '工作室的存储空间',
    '- 个人版: 价格 €5, 存储空间 5 GB\n- 工作室: 价格 €9, 存储空间 50 GB',
    '50 GB',
    '工作室的存储空间：50 GB。',
  ],
  ['ja', '学生の割引', '- 学生: 金額 12 %, 証明 学生証\n- 団体: 金額 10 %, 証明 書類', '12 %', '学生：12 %。'],
  [
    'pl',
    'cena studio',
    '- Solo: Cena za miesiąc €5, Dysk 5 GB\n- Studio: Cena za miesiąc €9, Dysk 50 GB',
    '€9',
    'Studio: cena za miesiąc wynosi €9.',
  ],
  [
    'de',
    'preis für erwachsene',
    '- Erwachsene: Preis pro Tag 12,50 €, Skier 2\n- Kinder: Preis pro Tag 6,00 €, Skier 1',
    '12,50 €',
    'Der Preis für Erwachsene beträgt 12,50 € pro Tag.',
  ],
  [
    'fr',
    'prix pour adultes',
    '- Adultes: Prix par jour 12,50 €, Skis 2\n- Enfants: Prix par jour 6,00 €, Skis 1',
    '12,50 €',
    'Le prix pour Adultes est de 12,50 € par jour.',
  ],
  [
    'it',
    'prezzo per adulti',
    '- Adulti: Prezzo per giorno 12,50 €, Sci 2\n- Bambini: Prezzo per giorno 6,00 €, Sci 1',
    '12,50 €',
    'Il prezzo per Adulti è di 12,50 € per giorno.',
  ],
])('in %s, "%s" is answered with a sentence of its own punctuation', (language, question, table, mark, sentence) => {
  const { text } = composeAnswer(asked(question, language), [hit(table, { mark, language })], 'https://docent.test')
  expect(text).toBe(sentence)
})

test('a row that is too wide for a chat is given with a line for each cell', () => {
  const plans = `- Studio: Price €9, Seats 3, Storage 20 GB, Support mail, Backups weekly, Exports 5
- Agency: Price €29, Seats 10, Storage 200 GB, Support phone, Backups daily, Exports 50`
  expect(
    told(
      'what is in agency',
      hit(plans, { mark: 'Price €29, Seats 10, Storage 200 GB, Support phone, Backups daily, Exports 50' }),
    ).text,
  ).toBe('**Agency**\n- Price: €29\n- Seats: 10\n- Storage: 200 GB\n- Support: phone\n- Backups: daily\n- Exports: 50')
})

test('several rows that are too wide for a chat are given one after the other, and never as they are stored', () => {
  const cells = (price: number) => `Price €${price}, Seats ${price}, Storage ${price} GB, Support mail, Backups weekly`
  const plans = [9, 29, 59].map((price, at) => `- ${['Solo', 'Studio', 'Agency'][at]}: ${cells(price)}`).join('\n')
  const { text } = told('list all your plans', hit(plans, { mark: 'Price €9' }))
  expect(text).toContain(
    '**Solo**\n- Price: €9\n- Seats: 9\n- Storage: 9 GB\n- Support: mail\n- Backups: weekly\n\n**Studio**',
  )
  expect(text).toContain('**Agency**')
  const why = ['that a truck was late', 'the label could not be read']
  const errors = why.map(
    (cause, at) => `- Error ${at}: Meaning ${cause}, ${'so it went to another depot and is sent on, '.repeat(2)}done`,
  )
  expect(told('list all errors', hit(errors.join('\n'), { mark: 'depot' })).text).toMatch(
    /^- Error 0: that a truck .*\n- Error 1: the label [^\n]*$/,
  )
})

test.each([
  [
    'pl',
    'ile kosztuje studio',
    '- Solo: Cena 49 zł, Dysk 5 GB\n- Studio: Cena 1 299,00 zł, Dysk 9 GB',
    '1 299,00 zł',
    'Studio: cena wynosi 1 299,00 zł.',
  ],
  [
    'sv',
    'vad kostar studio',
    '- Solo: Pris 49 kr, Disk 5 GB\n- Studio: Pris 99 kr, Disk 9 GB',
    '99 kr',
    'Studio kostar 99 kr.',
  ],
  [
    'da',
    'hvad koster studio',
    '- Solo: Pris kr. 49, Disk 5 GB\n- Studio: Pris kr. 99, Disk 9 GB',
    'kr. 99',
    'Studio koster kr. 99.',
  ],
  [
    'pt',
    'quanto custa o studio',
    '- Solo: Preço R$ 49, Disco 5 GB\n- Studio: Preço R$ 99, Disco 9 GB',
    'R$ 99',
    'O preço para Studio é de R$ 99.',
  ],
  [
    'tr',
    'studio ne kadar',
    '- Solo: Fiyat 49 ₺, Disk 5 GB\n- Studio: Fiyat 99 ₺, Disk 9 GB',
    '99 ₺',
    'Studio ücreti 99 ₺.',
  ],
  [
    'ru',
    'сколько стоит студия',
    '- Соло: Цена 49 ₽, Диск 5 ГБ\n- Студия: Цена 99 ₽, Диск 9 ГБ',
    '99 ₽',
    'Студия: цена составляет 99 ₽.',
  ],
  [
    'de',
    'preis des versands bei 80 euro',
    '- bis 50 €: Preis 5,90 €, Tage 3\n- 50 bis 100 €: Preis 2,90 €, Tage 2',
    '2,90 €',
    '50 bis 100 €: 2,90 €.',
  ],
])('in %s, "%s" gets the price in its currency', (language, question, table, mark, sentence) => {
  const { text } = composeAnswer(asked(question, language), [hit(table, { mark, language })], 'https://docent.test')
  expect(text.replaceAll('\u00a0', ' ')).toBe(sentence)
})

test('a figure within amounts of other currencies leads to its row', () => {
  const delivery = '- 50 zł do 100 zł: Dostawa 9 zł\n- 100 zł do 200 zł: Dostawa 5 zł'
  const { text } = composeAnswer(
    asked('dostawa zamówienia za 150 zł', 'pl'),
    [hit(delivery, { mark: '9 zł', language: 'pl' })],
    '',
  )
  expect(text).toContain('5 zł')
  expect(text).not.toContain('9 zł')
})

test('of a long table the first rows are given, and that there are more', () => {
  const countries = Array.from(
    { length: 15 },
    (_, at) => `- Country ${String.fromCharCode(65 + at)}: Price £${at + 3}, Days ${at + 2}`,
  )
  const { text } = told(
    'which countries do you deliver to',
    hit(countries.join('\n'), { mark: countries[0] as string }),
  )
  expect(text.split('\n')).toHaveLength(15)
  expect(text).toMatch(/\| Country L \| £14 \| 13 \|\n…/)
})

test('an answer that begins with "However" is said at once if it would come late', () => {
  const passage = `Freezing a group blocks all its financial activity at once, for everybody who has a role in it. It cannot pay expenses,
post updates, create new events, accept funds or add new people to its team. However, it still receives monthly donations.`
  expect(
    told(
      'does a frozen group receive monthly donations',
      hit(passage.replace('\n', ' '), { mark: 'it still receives monthly donations.' }),
    ).text,
  ).toBe('It still receives monthly donations.')
})

test('several cells of a table are given as a small table', () => {
  expect(told('what does it cost to france', hit(prices, { mark: 'Standard £7, Express £12' })).text).toBe(
    '| | Standard | Express |\n| --- | --- | --- |\n| France | £7 | £12 |',
  )
  expect(told('list all your prices', hit(prices, { mark: 'Germany' })).text).toContain('| France | B |')
})

test('of a table with ranges, the row that contains the figure of the question is taken', () => {
  const delivery = '- up to €50: Delivery €5.90\n- €50 to €100: Delivery €2.90\n- over €100: Delivery free'
  const cost = (amount: number) =>
    told(`what does delivery cost for an order of ${amount} euros`, hit(delivery, { mark: 'free' })).text
  expect(cost(20)).toBe('up to €50: €5.90.')
  expect(cost(80)).toBe('€50 to €100: €2.90.')
  expect(cost(250)).toBe('over €100: free.')
  const sizes = '- 41: UK 7.5, Foot length 25.8 cm\n- 42: UK 8, Foot length 26.5 cm'
  expect(told('my foot is 26.5 cm long', hit(sizes, { mark: '25.8 cm' })).text).toContain('42')
})

test('columns whose names or values begin alike are told apart', () => {
  const zones =
    '- A: Countries France, Belgium, Parcel £12, Parcel time 4–6 days, Bike £79\n- B: Countries Spain, Italy, Parcel £21, Parcel time 7–10 days, Bike none'
  expect(told('how long does a parcel to spain take', hit(zones, { mark: '7–10 days' })).text).toContain('7–10 days')
  expect(told('what does a parcel to spain cost', hit(zones, { mark: '£21' })).text).toContain(
    '| B | £21 | 7–10 days |',
  )
  const keys = '- Insert link: Windows Ctrl + U, Mac Cmd + U\n- Insert table: Windows Ctrl + T, Mac Cmd + T'
  expect(told('how do i insert a table on mac', hit(keys, { mark: 'Cmd + T' })).text).toBe(
    'Mac for Insert table: Cmd + T.',
  )
})

test('a slash in the name of a column does not end it', () => {
  const tents =
    '- Wisp: Weight 1.1 kg, Flysheet / floor 2,000 / 3,000 mm\n- Drift: Weight 2.1 kg, Flysheet / floor 3,000 / 5,000 mm'
  expect(told('how heavy are your tents', hit(tents, { mark: 'Weight 1.1 kg' })).text).not.toMatch(/kg, /)
})

test('a list whose items begin alike is no table', () => {
  const ages = '- for e-bikes: you must be at least 16 years old\n- for cargo bikes: you must be at least 18 years old'
  expect(told('may i ride an e-bike with 15', hit(ages, { mark: '16 years old' })).text).toContain(
    'you must be at least 16',
  )
})

test('the row of a table is chosen by what was asked, not only by what was asked before', () => {
  const list = '- Notes: Kept 14 days\n- Invoices: Kept 10 years\n- Logs: Kept 90 days\n- Files: Kept 60 days'
  const question = { ...asked('how long do you keep bills notes'), own: asked('how long do you keep bills') }
  const { text } = composeAnswer(question, [hit(list, { mark: '10 years' })], 'https://docent.test')
  expect(text).toContain('Invoices')
  const namedQuestion = { ...asked('and invoices notes'), own: asked('and invoices') }
  expect(composeAnswer(namedQuestion, [hit(list, { mark: '14 days' })], 'https://docent.test').text).toBe(
    'Invoices: 10 years.',
  )
})

test('a question for a person keeps the likeliest passage, though another has a name', () => {
  const postageHit = hit('Return postage is paid by the customer.', { relevance: 3 })
  const carrierHit = hit('You pay import VAT to the carrier.', { relevance: 2.5 })
  expect(told('who pays the postage', postageHit, carrierHit).text).toContain('by the customer')
})

test('a question about a list gets the whole list, a question about one thing gets its item', () => {
  const papers = `Bring these:\n- a passport or licence\n- a bank card in your name\n- a deposit of £50 ${'in cash '.repeat(30)}`
  expect(told('which papers do i need', hit(papers.trim(), { mark: 'a passport or licence' })).text).toBe(papers.trim())
  expect(told('how much is the deposit', hit(papers.trim(), { mark: 'a bank card' })).text).toBe(
    'Bring these:\n- a bank card in your name',
  )
})

test('a list is not shown without what it means', () => {
  const goods =
    'We do not carry these goods:\n- Batteries: lithium, lead\n- Liquids: paint, oil\n- Plants: seeds, bulbs'
  expect(told('can i send batteries', hit(goods, { mark: 'lithium' })).text).toContain('We do not carry these goods:')
  const changes = 'While the status is "Received", you can\n- switch to another size,\n- correct the address.'
  expect(told('change my address', hit(changes, { mark: 'correct the address' })).text).toBe(changes)
})

test('a how-to is given from its first step to its last', () => {
  const steps = 'You can leave at any time.\n1. Open Settings.\n2. Choose Account.\n3. Press Delete and confirm.'
  const answer = steps.slice(steps.indexOf('1.'))
  expect(told('how do i delete my account', hit(steps, { mark: 'Press Delete' })).text).toBe(answer)
  const two = `${answer}\n1. Open the app.\n2. Tap your picture.`
  expect(told('how do i delete my account', hit(two, { mark: 'Press Delete' })).text).toBe(answer)
  expect(told('how do i do that in the app', hit(two, { mark: 'Tap your picture' })).text).toBe(
    '1. Open the app.\n2. Tap your picture.',
  )
})

test('steps beyond the longest reply are left to the section, which is linked', () => {
  const steps = Array.from(
    { length: 12 },
    (_, at) => `${at + 1}. Do what is told here in about fifteen words, one after the other, part ${at}.`,
  )
  const long = hit(`How to move:\n${steps.join('\n')}`, { mark: 'How to move:' })
  const passage = { ...long.passage, title: 'Moving [2026]', url: 'https://docent.test/move', anchor: 'how' }
  const { text } = told('how do I move', { ...long, passage })
  expect(text).toMatch(/^How to move:\n1\. /)
  expect(text).toMatch(/\n… \[Moving 2026\]\(https:\/\/docent\.test\/move#how\)$/)
})

test('steps whose first ones are elsewhere on the page are followed by a link to it', () => {
  const text = '4. Choose the size.\n5. Press Order.'
  const later = hit(text, { mark: 'Press Order' })
  const passage = { ...later.passage, title: 'Rings', url: 'https://docent.test/rings', anchor: null }
  expect(told('how do i order a ring', { ...later, passage }).text).toBe(
    `${text}\n… [Rings](https://docent.test/rings)`,
  )
  expect(told('how do i order a ring', later).text).toBe(text)
})

test('of long steps, one fact is given with its own, a how-to from the first', () => {
  const steps = Array.from(
    { length: 12 },
    (_, at) => `${at + 1}. Do what is told here in about fifteen words, one after the other, part ${at}.`,
  )
  const long = hit(`${steps.join('\n')}\n- It costs £15 a year.`, { mark: '£15 a year' })
  expect(told('what does the bridge cost', long).text).toBe('It costs £15 a year.')
  expect(told('how do i set up the bridge', long).text).toMatch(/^1\. Do[\s\S]*\n…$/)
})

test('one fact in a long step is the sentence that states it', () => {
  const step = `12. Assign the users.\n13. Wait for the first cycle. This may take up to 40 minutes. ${'You can also start it by hand in the console, which helps while you test. '.repeat(3)}`
  expect(told('how long does it take', hit(step.trim(), { mark: 'up to 40 minutes' })).text).toBe(
    'This may take up to 40 minutes.',
  )
})

test('an answer in prose is the marked sentence with those it needs, and then stops', () => {
  const text = `Orders can be changed for an hour. After that they are packed. It cannot be undone. Learn more about packing. ${'Our boxes are made of paper from the region and are used several times before they are recycled. '.repeat(4)}`
  expect(told('is it final', hit(text.trim(), { mark: 'cannot be undone' })).text).toBe(
    'After that they are packed. It cannot be undone.',
  )
})

test.each([
  ['en', 'Upgrade now.'],
  ['en', '[Learn more](https://docent.test/plans)'],
  ['en', '**Sign up for free**'],
  ['de', 'Jetzt kostenlos anmelden!'],
  ['fr', 'En savoir plus.'],
])('in %s, "%s" is in no reply, even if it was marked', (language, invitation) => {
  const asks = (text: string, mark: string) =>
    composeAnswer(asked('gold plan storage', language), [hit(text, { mark, language })], 'https://docent.test').text
  const prose = `Gold has 50 GB. ${invitation}`
  expect(asks(prose, '50 GB')).toBe('Gold has 50 GB.')
  expect(asks(prose, invitation)).toBe('Gold has 50 GB.')
  expect(asks(prose, prose)).toBe('Gold has 50 GB.')
  expect(asks(`Gold:\n- 50 GB\n- ten seats\n- ${invitation}`, '50 GB')).toBe('Gold:\n- 50 GB\n- ten seats')
  expect(asks(invitation, invitation)).toBe('')
})

test('steps may be to log in', () => {
  const steps = '1. Log in.\n2. Open the plan.\n3. Download.'
  expect(told('how do i see my plan', hit(steps, { mark: 'Open the plan' })).text).toBe(steps)
})

test('two answers in one reply do not say the same sentence twice', () => {
  const first = 'You can refund for 30 days.\nAfter that, the host can.'
  expect(withoutRepeated([first, 'After that, the host can.\nHosts have a policy.'])).toEqual([
    first,
    'Hosts have a policy.',
  ])
  expect(withoutRepeated([first, 'After that, the host can.'])).toEqual([first])
  const tables = ['| | a |\n| --- | --- |', '| | b |\n| --- | --- |']
  expect(withoutRepeated(tables)).toEqual(tables)
  const list = 'We cannot send:\n\n- batteries\n- paint'
  expect(withoutRepeated([list, 'Yes.\n\n- batteries\n- paint'])).toEqual([list, 'Yes.'])
})

test('a sentence that announces something is not the end of a reply', () => {
  const announcement =
    `You can pay in several ways, for example: by card. ${'Our prices are the same everywhere and all year. '.repeat(5)}`.trim()
  const lines = announcement.replace(': by', ':\nby')
  expect(told('how can i pay', hit(lines, { mark: 'in several ways' })).text).toMatch(/for example:\nby card\./)
  const cutHit = hit('Payment is easy. You can pay, for example:', { mark: 'You can pay' })
  expect(told('how can i pay', cutHit).text).toBe('You can pay, for example:\n…')
  const linkedHit = { ...cutHit, passage: { ...cutHit.passage, title: 'Paying', url: 'https://docent.test/pay' } }
  expect(told('how can i pay', linkedHit).text).toMatch(/for example:\n… \[Paying\]\(https:\/\/docent\.test\/pay\)$/)
  const step = hit('1. Copy it into the following directory:', { mark: 'following directory' })
  expect(told('where does the file go', step).text).toBe('Copy it into the following directory:\n…')
  const paragraph = 'Payment is easy. You can pay, for example:'
  expect(told('is payment easy', hit(paragraph, { mark: paragraph })).text).toBe('Payment is easy.')
})

test('leftovers of a page are removed', () => {
  const page = '#### Snap\nClick the gear () icon [] in the bar.'
  expect(told('where is it', hit(page, { mark: page })).text).toBe('**Snap**\nClick the gear icon in the bar.')
})

test('French keeps the space before a semicolon', () => {
  const page = 'La livraison coûte 4,90 € ; elle est gratuite à partir de 50 €.'
  expect(told('livraison', hit(page, { language: 'fr' })).text).toBe(page)
})

test('an answer begins with yes or no only if the reader model and the wording agree', () => {
  const next = 'Express parcels ordered before noon arrive on the next working day.'
  const sentence = 'We do not wrap presents.'
  const answer = told('does express arrive the next day', hit(next, { polarity: 5 }))
  expect([answer.text, answer.opening]).toEqual([`Yes. ${next}`, 'Yes.'])
  expect(told('does express arrive the next day', hit(next, { polarity: -5 })).text).toBe(next)
  expect(told('can you wrap it', hit(sentence, { polarity: -5 })).text).toBe(`No. ${sentence}`)
  const note = 'Note that parcels arrive on Saturdays, too.'
  expect(told('do parcels arrive on saturdays', hit(note, { polarity: 5 })).text).toBe(`Yes. ${note}`)
  const unsureAnswer = inDoubt('does express arrive the next day', hit(next, { polarity: 5 }))
  expect([unsureAnswer.text, unsureAnswer.opening]).toEqual([next, undefined])
  const denial = 'No, presents are never wrapped.'
  expect(told('can you wrap it', hit(denial, { polarity: -5 })).text).toBe(denial)
  expect(told('how can i cancel and have my money back', hit(sentence, { polarity: -5 })).text).toBe(sentence)
})

test('"No" is not said of what is merely limited, nor of something else', () => {
  const onlineHit = hit('PayPal is available online only.', { polarity: -6 })
  expect(told('do you take paypal', onlineHit).text).toBe('PayPal is available online only.')
  const storage = hit('Store down items loose, never in the small sack.', { polarity: -7 })
  expect(told('can i use the tumble dryer', storage).text).not.toMatch(/^No/)
})

test('a how-to prefers the passage with the steps', () => {
  const washingHit = hit('- Down jacket: Wash once or twice per season\n- Sleeping bag: Wash once a year', {
    relevance: 2,
  })
  const steps = hit('1. Close the zips.\n2. Wash at 30 °C.', { mark: 'Close the zips', relevance: 1 })
  expect(told('how do i wash my down jacket', washingHit, steps).text).toBe('1. Close the zips.\n2. Wash at 30 °C.')
})

test('a question for a figure prefers the passage that has one', () => {
  const vague = hit('Delivery takes some time in the winter.', { relevance: 2 })
  const exactHit = hit('Delivery takes 3 days.', { relevance: 1.5 })
  expect(told('how long does delivery take', vague, exactHit).text).toBe('Delivery takes 3 days.')
})

test('a question for a figure is answered by the rule of a page, not by a step that has a figure', () => {
  const page = (one: Hit): Hit => ({ ...one, passage: { ...one.passage, documentId: 'returns' } })
  const steps = page(hit('1. Print the label.\n2. Hand in the parcel within 7 days.', { mark: 'within 7 days' }))
  const rule = page(hit('You may send things back within 30 days.', { mark: 'within 30 days', relevance: 5 }))
  const asked = (text: string) => told(text, steps, rule).text
  expect(asked('how long do i have to return an item')).toBe('You may send things back within 30 days.')
  expect(asked('how do i return an item')).toContain('1. Print the label.')
})

test('a figure in the question leads to the row of a table on the same page', () => {
  const opening = hit('From 10 pieces you get a quantity discount.', { relevance: 4 })
  const table = hit('- 10–24: Discount 8 %\n- 25–49: Discount 12 %', { relevance: 1 })
  const { documentId } = opening.passage
  const onPage = { ...table, passage: { ...table.passage, documentId } }
  expect(told('is there a discount for 30 jackets', opening, onPage).text).toContain('25–49: 12 %')
  expect(told('is there a discount for 30 jackets', opening, table).text).toContain('From 10 pieces')
})

test('a measurement in the question leads to its row, in the section that the question names', () => {
  const women = hit('- S: Chest 84–89, Waist 67–72\n- L: Chest 96–102, Waist 79–85', { mark: '84–89', relevance: 3 })
  const men = hit('- S: Chest 88–93, Waist 76–81\n- M: Chest 94–99, Waist 82–87', { mark: '88–93', relevance: 2.5 })
  const inSection = (one: typeof women, heading: string) => ({
    ...one,
    passage: { ...one.passage, documentId: 'sizes', headings: [heading] },
  })
  const sizes = [inSection(women, 'Women'), inSection(men, 'Men and unisex')]
  expect(told("my chest is 97 cm, which men's size should i pick", ...sizes).text).toBe('Chest for M: 94–99.')
  expect(told('my chest is 97 cm, which size for women', ...sizes).text).toBe('Chest for L: 96–102.')
})

test('a question about everything in a table gets all its rows', () => {
  const table = '- Backpacks: Warranty 10 years\n- Tents: Warranty 5 years'
  const one = hit(table, { mark: '10 years' })
  const warranty = { ...one, passage: { ...one.passage, title: 'Warranty', headings: ['How long it lasts'] } }
  expect(told('how long is the warranty', warranty).text).toContain('| Tents | 5 years |')
  expect(told('how long is the warranty of backpacks', warranty).text).toBe('Backpacks: 10 years.')
})

test('a table with a column twice keeps both', () => {
  const delivery =
    '- Austria: Standard 5.90 €, Arrives in 2–4 days, Express 14.90 €, Arrives in 1–2 days\n' +
    '- Norway: Standard 12.90 €, Arrives in 4–7 days, Express 24.90 €, Arrives in 2–3 days'
  const { text } = told('how fast is express to austria', hit(delivery, { mark: '14.90 €' }))
  expect(text).toContain('| Austria | 5.90 € | 2–4 days | 14.90 € | 1–2 days |')
})

test('a second passage is shown only in doubt and if it is nearly as likely, and only what is shown is cited', () => {
  const first = hit('Parcels leave at noon.', { relevance: 1 })
  const near = hit('Letters leave at three.', { relevance: 0.5 })
  const far = hit('We are closed on Sundays.', { relevance: -7 })
  expect(told('when does the post leave', first, near).used).toEqual([first])
  const unsureAnswer = composeAnswer(asked('when does the post leave'), [first, near, far], 'https://docent.test', true)
  expect(unsureAnswer.text).toBe('**Page › Section**\nParcels leave at noon.\n\nLetters leave at three.')
  expect(unsureAnswer.sources).toHaveLength(2)
  const answerWithoutNear = composeAnswer(asked('when does the post leave'), [first, far], 'https://docent.test', true)
  expect(answerWithoutNear.text).toBe('Parcels leave at noon.')
  expect(answerWithoutNear.sources).toHaveLength(1)
})

function inDoubt(question: string, ...hits: Hit[]) {
  return composeAnswer(asked(question), hits, 'https://docent.test', true)
}

const onPage = (one: Hit, title: string, section: string, documentId = title): Hit => ({
  ...one,
  passage: { ...one.passage, title, headings: [title, section], documentId },
})

test('a less likely second passage, shown because the first lacks what was asked for, has it', () => {
  const namelessHit = hit('The postage is paid by whoever returns a thing.', { relevance: 2 })
  const secondNamelessHit = hit('It leaves from the depot next door.', { relevance: 0.9 })
  const namedHit = hit('Postage is paid by Harold Finch.', { relevance: 0.7 })
  expect(inDoubt('who pays the postage', namelessHit, secondNamelessHit).used).toEqual([namelessHit])
  expect(inDoubt('who pays the postage', namelessHit, secondNamelessHit, namedHit).used).toEqual([
    namelessHit,
    namedHit,
  ])
})

test('a second passage says something else than the first, not the same in other marks', () => {
  const first = hit('Refunds take 5 working days.', { relevance: 1 })
  const same = hit('Refunds will take 5 working days!', { relevance: 0.9 })
  const otherHit = hit('Refunds take 9 working days.', { relevance: 0.8 })
  expect(inDoubt('how long do refunds take', first, same).used).toEqual([first])
  expect(inDoubt('how long do refunds take', first, same, otherHit).used).toEqual([first, otherHit])
})

test('two quotes have names that tell them apart, or one name together', () => {
  const noon = hit('Parcels leave at noon.', { relevance: 1 })
  const three = hit('Letters leave at three.', { relevance: 0.9 })
  const names = (...hits: Hit[]) =>
    [...inDoubt('when does the post leave', ...hits).text.matchAll(/\*\*(.+)\*\*/g)].map(([, name]) => name)
  expect(names(onPage(noon, 'Post', 'Parcels'), onPage(three, 'Post', 'Letters'))).toEqual([
    'Post › Parcels',
    'Post › Letters',
  ])
  expect(names(onPage(noon, 'Post', 'Times', 'a'), onPage(three, 'Post', 'Letters', 'b'))).toEqual([
    'Post › Times',
    'Post › Letters',
  ])
  expect(names(onPage(noon, 'Post', 'Times', 'a'), onPage(three, 'Post', 'Times', 'b'))).toEqual(['Post › Times'])
  expect(names(onPage(noon, 'Parcels', 'Times'), onPage(three, 'Letters', 'Times'))).toEqual(['Parcels', 'Letters'])
})

test('beside another quote, steps take less room and end with a link to the rest', () => {
  const step = (at: number) =>
    `${at + 1}. Do what is told here in about fifteen words, one after the other, part ${at}.`
  const steps = Array.from({ length: 8 }, (_, at) => step(at)).join('\n')
  const long = hit(steps, { mark: 'Do what is told', relevance: 1 })
  const linkedHit = { ...long, passage: { ...long.passage, title: 'Moving', url: 'https://docent.test/move' } }
  const short = hit('1. Open the box.\n2. Close it.', { mark: 'Open the box', relevance: 0.9 })
  const { text } = inDoubt('how do i move my things', linkedHit, short)
  expect(text).toContain('\n… [Moving](https://docent.test/move)\n\n')
  expect(text).toContain('1. Open the box.\n2. Close it.')
  expect(text.split(/\s+/).length).toBeLessThan(100)
  expect(told('how do i move my things', linkedHit).text.split(/\s+/).length).toBeGreaterThan(100)
})

test('a second passage is in the language of the first, for a site says the same in each', () => {
  const english = hit('Parcels leave at noon.', { relevance: 1 })
  const german = hit('Pakete gehen mittags ab.', { relevance: 0.5, language: 'de' })
  const answer = composeAnswer(asked('when does the post leave'), [english, german], 'https://docent.test', true)
  expect(answer.text).toBe('Parcels leave at noon.')
})

test('a button reads as what is sent: questions first, and another page by its name', () => {
  const quotedHit = onPage(hit('Things are paid back within 5 days.'), 'Returns', 'Refunds')
  const hits = [
    quotedHit,
    onPage(hit('The label is free in Germany.'), 'Returns', 'What a return costs'),
    onPage(hit('It costs £12.'), 'Rental', 'Delivery within Germany'),
    onPage(hit('No, they have to be unused.'), 'Hygiene', 'May I return socks?'),
    onPage(hit('Long.'), 'A page whose title alone is as long as a button may be', 'Another heading'),
  ]
  const buttons = ['May I return socks?', 'What a return costs', 'Delivery within Germany (Rental)']
  expect(nextQuestions({ question: asked('when am i paid back'), used: [quotedHit], hits, asked: [] })).toEqual(buttons)
  expect(didYouMean([quotedHit], hits)).toEqual(buttons)
  expect(
    nextQuestions({
      question: asked('when am i paid back'),
      used: [quotedHit],
      hits,
      asked: ['what does a return cost'],
    }),
  ).toEqual(['May I return socks?', 'Delivery within Germany (Rental)'])
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
  const wordModelList = [wordModels.pages, wordModels.product].flatMap((models) => Object.values(models))
  const weightNames = wordModelList.flatMap(({ found, holds }) => [
    ...Object.keys(found.weights),
    ...Object.keys(holds.weights),
  ])
  expect(new Set(weightNames).difference(new Set(Object.keys(features)))).toEqual(new Set())
  expect(READING_FEATURE_NAMES).toEqual(expect.arrayContaining(Object.keys(readingModel.weights)))
})
