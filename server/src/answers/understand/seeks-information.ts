// Does a message ask for knowledge, or does it book, fill in a form, thank, agree? A small logistic regression over
// signs that hold in any dialogue; its score joins the confidence, it never blocks an answer by itself.
import { type Language, languageOrEnglish } from './languages.ts'
import { referenceWords } from './reference-words.ts'
import { type Word, words } from './words.ts'

export interface InformationSigns {
  /** Ends in a question mark. */
  questionMark: number
  /** A clause begins with a question word: "how quiet is …". */
  questionWord: number
  /** A clause begins with an auxiliary: "does it have …". */
  yesNoQuestion: number
  /** "can I have", "could you book": a request in the shape of a question. */
  request: number
  /** "I need", "I am looking for", "book me": says a wish instead of asking. */
  wish: number
  /** Booking, ordering, changing: done, not looked up. */
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
  /** The conversation just begins. */
  opening: number
}

export interface InformationInput {
  text: string
  /** What the assistant said right before. */
  previous?: string
  language?: string
  /** Addresses, phone and reference numbers come from another system than the sources, as in a booking dialogue. */
  recordsElsewhere?: boolean
}

// Chosen by hand, starting from a fit to half of one set that no script in bench/ repeats: elsewhere
// question words count more, and a first message without question form is often a search in key words.
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

// English only; in other languages these signs stay 0 and the question form decides.
const request =
  /\b(can|could|may|would|will) (i|you|we)( please| also| just)* (have|get|book|give|find|make|recommend|suggest|reserve|arrange|send|provide|help|change|cancel|order|check|show|need)\b/
const wish =
  /\b(i|we)('d| would)? (also |really |just |actually )*(need|want|like|prefer|wish)\b|\b(i'm|i am|we're|we are|i was) (also |actually )*(looking|searching|interested|trying|planning)\b|\b(find|book|give|get|show|send|reserve|recommend) me\b|\b(let's|let us)\b|^(please|book|find|make|try|reserve|order|cancel|change)\b/
const transaction =
  /\b(book|booking|booked|reserve|reservation|reservations|order|ordering|cancel|purchase|buy|ticket|tickets|taxi|table for|arrange|schedule|appointment)\b/
const recordField =
  /\b(address|phone|telephone|number|postcode|post code|zip|zip code|reference|confirmation|email|website|contact|entrance fee|star rating|price range)\b/
const slotValue =
  /\b(\d{1,2}:\d{2}|\d+ (people|persons?|nights?|days?|guests?|stars?|adults?|children)|(one|two|three|four|five|six|seven|eight) (people|persons?|nights?|days?|guests?|stars?)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|tonight|north|south|east|west|centre|center|cheap|moderate|moderately|expensive)\b/
const acknowledgement =
  /^(yes|yeah|yep|yup|no|nope|nah|ok|okay|sure|great|perfect|fine|alright|right|awesome|excellent|wonderful|that|sounds|it does|oh|good|cool|correct)\b/
const thanks =
  /\b(thanks|thank you|thx|cheers|bye|goodbye|that's all|that is all|that will be all|have a (nice|good|great)|appreciate)\b/
const quality =
  /\b(good|nice|best|better|worth|enough|very|really|too|easy|difficult|fast|slow|allowed|available|included|offer|allow|accept|possible|suitable|decent|great|difference|compare)\b/

export function informationSigns({ text, previous, language: code }: InformationInput): InformationSigns {
  const language = languageOrEnglish(code)
  const plain = text.toLowerCase().normalize('NFKC').replaceAll('’', "'").trim()
  const found = words(text)
  const sign = (value: boolean) => (value ? 1 : 0)
  const matches = (pattern: RegExp) => sign(language === 'en' && pattern.test(plain))
  const form = questionForm(found, text, language)
  return {
    questionMark: sign(/[?？؟]/.test(text)),
    questionWord: sign(form.word),
    yesNoQuestion: sign(form.auxiliary),
    request: matches(request),
    wish: matches(wish),
    transaction: matches(transaction),
    recordField: matches(recordField),
    slotValue: matches(slotValue),
    acknowledgement: matches(acknowledgement),
    thanks: matches(thanks),
    quality: matches(quality),
    opening: sign(previous === undefined),
  }
}

// A clause opens after a comma, a full stop or an "and"; languages without word order for questions mark them anywhere.
function questionForm(found: Word[], text: string, language: Language): { word: boolean; auxiliary: boolean } {
  const { questionWords, auxiliaries } = referenceWords[language]
  if (['zh', 'ja', 'tr', 'ar', 'pl', 'ru'].includes(language))
    return { word: found.some(({ word }) => questionWords.has(word)), auxiliary: false }
  const openings = text
    .split(/[.,;!?¿¡:]|\s(?:and|but|or|und|et|y|e|en|och|og)\s/i)
    .map((clause) => words(clause)[0]?.word ?? '')
  return {
    word: openings.some((opening) => questionWords.has(opening)),
    auxiliary: openings.some((opening) => auxiliaries.has(opening)),
  }
}
