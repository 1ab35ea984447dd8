import { expect, test } from 'vitest'
import type { Turn } from '../../src/answers/types.ts'
import { adjustRanking } from '../../src/answers/understand/adjust-ranking.ts'
import { resolveFollowUp } from '../../src/answers/understand/follow-up.ts'
import { writtenWords } from '../../src/language/words.ts'

// A stand-in for the index's own analysis: no stemming, a handful of stop words.
const stopWords = new Set(
  'a an the is are was what which how when why about and or for to of in on it its he she they them do does did you your i my can we be with this that und für die der das ist was wie et pour les des y para los e per i o a en voor de och för og til для а и ve için から は の を が 吗 呢 的 ما و عن'.split(
    ' ',
  ),
)
const analyze = (text: string) =>
  writtenWords(text)
    .map(({ word }) => word)
    .filter((word) => !stopWords.has(word))
const resolve = (question: string, history: Turn[], language?: string) =>
  resolveFollowUp({ question, stems: analyze(question), history, analyze, ...(language ? { language } : {}) })
const talk = (...texts: string[]): Turn[] => texts.map((text, at) => ({ role: at % 2 ? 'assistant' : 'user', text }))
const carried = (question: string, history: Turn[], language?: string) =>
  resolve(question, history, language).context.map(({ term }) => term)

const tent = talk('How heavy is the Aurora tent?', 'The Aurora weighs 2.4 kg.')

test('a first question stands alone and carries nothing', () => {
  expect(resolve('How heavy is the Aurora tent?', [])).toMatchObject({
    standalone: true,
    topicShift: false,
    context: [],
    strength: 0,
  })
})

test.each([
  'Is it waterproof?',
  'And for children?',
  'Why?',
  'How much?',
  'What about the poles?',
  'Does it come in green?',
  'tell me more',
  'Is there another colour of this one?',
])('"%s" leans on the tent', (question) => {
  const followUp = resolve(question, tent)
  expect(followUp.standalone).toBe(false)
  expect(followUp.context.slice(0, 3).map(({ term }) => term)).toContain('aurora')
})

test('the question itself is never changed, and no word of the history outweighs its own', () => {
  const followUp = resolve('Is it waterproof?', tent)
  expect(followUp.text).toBe('Is it waterproof?')
  for (const { weight } of followUp.context) expect(weight).toBeLessThanOrEqual(1)
})

test('a new topic with its own words is a shift, and the history hardly counts', () => {
  const followUp = resolve(
    'What payment methods does the Berlin store accept on public holidays, and which cards are refused there?',
    tent,
  )
  expect(followUp).toMatchObject({ standalone: true, topicShift: true })
  for (const { weight } of followUp.context) expect(weight).toBeLessThan(0.05)
})

test('the product of the first turn stays until the topic changes', () => {
  const history = talk(
    'Tell me about the Aurora tent',
    'It sleeps two.',
    'Is it waterproof?',
    'Yes, 3000 mm.',
    'And the floor?',
    'Also, 5000 mm.',
  )
  expect(carried('How heavy is it?', history)).toContain('aurora')
})

test('a long answer is not glued on', () => {
  const long = `The Aurora ${Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ')}`
  const { context } = resolve('Is it waterproof?', talk('How heavy is the Aurora tent?', long))
  expect(context.length).toBeLessThanOrEqual(16)
  expect(context[0]?.term).toBe('aurora')
})

test('a question whose words one passage holds keeps the history out', () => {
  const question = 'Which countries receive parcels by express courier?'
  const uncoveredFollowUp = resolveFollowUp({
    question,
    stems: analyze(question),
    history: tent,
    analyze,
    ownCoverage: 0.4,
  })
  const coveredFollowUp = resolveFollowUp({
    question,
    stems: analyze(question),
    history: tent,
    analyze,
    ownCoverage: 1,
  })
  expect(coveredFollowUp.strength).toBeLessThanOrEqual(uncoveredFollowUp.strength)
})

test.each([
  ['de', 'Wie schwer ist das Aurora Zelt?', 'Und für Kinder?'],
  ['de', 'Wie schwer ist das Aurora Zelt?', 'Ist es wasserdicht?'],
  ['fr', 'Combien pèse la tente Aurora ?', 'Et pour les enfants ?'],
  ['fr', 'Combien pèse la tente Aurora ?', 'Est-elle étanche ?'],
  ['es', '¿Cuánto pesa la tienda Aurora?', '¿Y para niños?'],
  ['it', 'Quanto pesa la tenda Aurora?', 'E per bambini?'],
  ['pt', 'Quanto pesa a tenda Aurora?', 'E para crianças?'],
  ['nl', 'Hoe zwaar is de Aurora tent?', 'En voor kinderen?'],
  ['pl', 'Ile waży namiot Aurora?', 'A dla dzieci?'],
  ['sv', 'Hur tungt är tältet Aurora?', 'Och för barn?'],
  ['da', 'Hvor tungt er teltet Aurora?', 'Og til børn?'],
  ['tr', 'Aurora çadır kaç kilo?', 'Peki çocuklar için?'],
  ['ar', 'ما وزن خيمة Aurora؟', 'ماذا عن الأطفال؟'],
  ['ru', 'Сколько весит палатка Aurora?', 'А для детей?'],
  ['zh', 'Aurora 帐篷多重?', '儿童呢?'],
  ['ja', 'Aurora テントの重さは?', '子供用は?'],
])('in %s "%s" … "%s" leans on the first question', (language, first, question) => {
  const followUp = resolve(question, [{ role: 'user', text: first }], language)
  expect(followUp.standalone).toBe(false)
  expect(followUp.context.map(({ term }) => term)).toContain('aurora')
})

const passage = (passageId: string, documentId: string, score: number, text: string) => ({
  passageId,
  documentId,
  score,
  terms: new Set(analyze(text)),
})

test('what was told whole is marked, a long passage told in part is not', () => {
  const history = talk('How heavy is the Aurora tent?', 'The Aurora weighs 2.4 kg.')
  const wholePassage = passage('whole', 'a', 10, 'The Aurora weighs 2.4 kg.')
  const part = passage(
    'part',
    'b',
    9,
    'The Aurora weighs 2.4 kg. It is waterproof, sleeps two and packs to the size of a bottle. Poles are aluminium.',
  )
  const question = 'Is it waterproof?'
  const ranking = adjustRanking([wholePassage, part], resolve(question, history), analyze(question), history, analyze)
  expect(ranking.map(({ passageId, alreadyQuoted }) => [passageId, alreadyQuoted])).toEqual([
    ['whole', true],
    ['part', false],
  ])
})

test('the document of the last answer comes up when the question leans on it, not when the topic changes', () => {
  const history: Turn[] = [
    { role: 'user', text: 'How heavy is the Aurora tent?' },
    { role: 'assistant', text: 'About two kilos.', documentIds: ['aurora'] },
  ]
  const candidates = [
    passage('1', 'boreas', 10, 'waterproof to 2000 mm'),
    passage('2', 'aurora', 9, 'waterproof to 3000 mm'),
  ]
  const top = (question: string) =>
    adjustRanking(candidates, resolve(question, history), analyze(question), history, analyze)[0]?.documentId
  expect(top('Is it waterproof?')).toBe('aurora')
  expect(top('Which jackets by Boreas Mountain Equipment survive tropical rain for several days?')).toBe('boreas')
})
