// Whether a message asks for information, or books, fills in a form, thanks or agrees: a small logistic regression over
// features of any dialogue. Its score is part of the confidence; it never blocks an answer by itself.

import { byLanguage, type Language, languageData, languageOrEnglish } from '../../language/languages.ts'
import type { IntentSign } from '../../language/schema.ts'
import { type WrittenWord, writtenWords } from '../../language/words.ts'
import { referenceWords } from './dependence.ts'

interface InformationSigns {
  /** Ends in a question mark. */
  questionMark: number
  /** A clause begins with a question word: "how quiet is …". */
  questionWord: number
  /** A clause begins with an auxiliary: "does it have …". */
  yesNoQuestion: number
  /** "can I have", "could you book": a request phrased as a question. */
  request: number
  /** "I need", "I am looking for", "book me": states a wish instead of asking. */
  wish: number
  /** Booking, ordering, changing: an action, not a lookup. */
  transaction: number
  /** Address, phone number, post code, reference number: a field of a record. */
  recordField: number
  /** Days, times, numbers: a form being filled in. */
  slotValue: number
  /** "yes", "no", "sounds good" at the beginning. */
  acknowledgement: number
  thanks: number
  /** Judges, compares or asks what is offered: "good", "best", "allowed". */
  quality: number
  /** The conversation has just begun. */
  opening: number
}

interface InformationInput {
  text: string
  /** The assistant's previous message. */
  previous?: string
  language?: string
  /** Addresses, phone and reference numbers come from a system other than the sources, as in a booking dialogue. */
  recordsElsewhere?: boolean
}

// Chosen by hand, based on a fit to half of one data set that no script in lab/ repeats: elsewhere, question words
// count more, and a first message without question form is often a keyword search.
const coefficients: InformationSigns & { bias: number } = {
  bias: -0.6,
  questionMark: 1.5,
  questionWord: 0.8,
  yesNoQuestion: 1,
  request: -1,
  wish: -0.7,
  transaction: -0.7,
  recordField: -2,
  slotValue: -1.4,
  acknowledgement: -1.2,
  thanks: -0.8,
  quality: 0.8,
  opening: 0.4,
}

export function seeksInformation(input: InformationInput): number {
  const signs = informationSigns(input)
  if (!input.recordsElsewhere) signs.recordField = 0
  let sum = coefficients.bias
  for (const [name, value] of Object.entries(signs) as [keyof InformationSigns, number][])
    sum += coefficients[name] * value
  return 1 / (1 + Math.exp(-sum))
}

// In languages without these patterns the features stay 0 and the question form decides.
const intentPatterns = byLanguage(({ questions }) =>
  Object.entries(questions.intent ?? {}).map(([sign, source]) => [sign, new RegExp(source, 'u')] as const),
)
const noIntent: Record<IntentSign, number> = {
  request: 0,
  wish: 0,
  transaction: 0,
  recordField: 0,
  slotValue: 0,
  acknowledgement: 0,
  thanks: 0,
  quality: 0,
}

export function informationSigns({ text, previous, language: code }: InformationInput): InformationSigns {
  const language = languageOrEnglish(code)
  const plain = text.toLowerCase().normalize('NFKC').replaceAll('’', "'").trim()
  const words = writtenWords(text)
  const sign = (value: boolean) => (value ? 1 : 0)
  const intent = intentPatterns(language) ?? []
  const form = questionForm(words, text, language)
  return {
    questionMark: sign(/[?？؟]/.test(text)),
    questionWord: sign(form.word),
    yesNoQuestion: sign(form.auxiliary),
    ...noIntent,
    ...Object.fromEntries(intent.map(([name, pattern]) => [name, sign(pattern.test(plain))])),
    opening: sign(previous === undefined),
  }
}

// Clauses start after a comma, a full stop or an "and"; languages without question word order mark them anywhere.
function questionForm(words: WrittenWord[], text: string, language: Language): { word: boolean; auxiliary: boolean } {
  const { questionWords, auxiliaries } = referenceWords(language)
  if (languageData[language].asksAnywhere)
    return { word: words.some(({ word }) => questionWords.has(word)), auxiliary: false }
  const openings = text
    .split(/[.,;!?¿¡:]|\s(?:and|but|or|und|et|y|e|en|och|og)\s/i)
    .map((clause) => writtenWords(clause)[0]?.word ?? '')
  return {
    word: openings.some((opening) => questionWords.has(opening)),
    auxiliary: openings.some((opening) => auxiliaries.has(opening)),
  }
}
