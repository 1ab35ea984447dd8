// The data of a language. Each file in data/ is one LanguageData; English has every part and serves as the template.
// Where a language lacks an optional part, that part never matches.

/** Separated by spaces. */
export type WordList = string
/** Separated by bars. */
export type PhraseList = string
/** Source of a case-insensitive regular expression. */
type Pattern = string

/** Enough to search texts in a language. */
export interface SearchData {
  name: string
  /** Function words: half of a typical question, and the longest posting lists. */
  stopWords: WordList
}

/** Enough to hold a conversation. */
export interface LanguageData extends SearchData {
  /** Written without spaces between words. */
  isUnspaced?: boolean
  /** Endings are attached to words, so a phrase may end within a word. */
  attachesEndings?: boolean
  /** Question words may appear anywhere, not only at the start of a clause. */
  asksAnywhere?: boolean
  /** Shortened or careless spellings of common words, and what they stand for: "u", "whats". */
  chatSpellings?: Record<string, string>
  questions: QuestionData
  reference: ReferenceData
  sentences: SentenceData
  measures?: MeasureData
  smallTalk: {
    /** In lower case, without punctuation. */
    phrases: Record<SmallTalkKind, PhraseList> & {
      /** Words that only decorate ("there", "so much"), so that the phrases stay short. */
      fillers: PhraseList
      /** Likewise, but what they deny or ask is no praise: "no great help", "who helped me". */
      noPraise?: PhraseList
    }
    /** Greetings only when followed by a pause: "morning delivery", "Tag der offenen Tür" are none. Folded. */
    greetsOnlyAlone?: PhraseList
    /** `{bot}` stands for the bot's name. */
    replies: Record<Tone, Record<SmallTalkKind, string>>
  }
  person: PersonData
  /** Used when the sources hold no answer. */
  fallback: Record<Tone, FallbackSentences>
  waiting: WaitingSentences
  /** Button labels, and a sentence for the page of a source that no longer exists. */
  buttons: { person: string; contact: string; sourceGone: string }
  contact: ContactData
  products: ProductData
}

export const TONES = ['formal', 'casual'] as const
export type Tone = (typeof TONES)[number]

export const SMALL_TALK_KINDS = [
  'hello',
  'thanks',
  'bye',
  'how_are_you',
  'are_you_a_robot',
  'who_are_you',
  'help',
  'praise',
  'insult',
  'acknowledgement',
] as const
export type SmallTalkKind = (typeof SMALL_TALK_KINDS)[number]

interface QuestionData {
  /** Words that begin a question. */
  words: WordList
  /** Verbs that can follow a definite noun in a question: "was the trip …", "the band is …". */
  auxiliaries: WordList
  /** Words around what a question is about: "return policy" asks about returns. */
  frameWords?: WordList
  /** How a second question in one message begins, and what joins it to the first. */
  clauseStart?: PhraseList
  clauseJoin?: PhraseList
  /** Asks for a number, an amount or a time. */
  asksFigure?: Pattern
  /** The kind of thing asked for; the first match counts. */
  answerTypes?: Record<AnswerKind, Pattern>
  /** Addressed from one person to another: "I", "my", "you". */
  personal?: Pattern
  /** The expected shape of the answer, for passages marked by the reader. */
  expects?: {
    yesNoQuestion: Pattern
    oneThing: Pattern
    /** How long something takes, or how fast it is. */
    duration?: Pattern
    /** Two things beside each other: "difference", "than", "or". */
    comparison: Pattern
    severalThings: Pattern
    /** A question that names two things, after its first word. */
    twoThings: Pattern
    /** A sentence that denies or limits. */
    limits: Pattern
  }
}

export type AnswerKind = 'time' | 'figure' | 'person' | 'place' | 'reason' | 'manner'

/** Words that make a question depend on what was said before. */
export interface ReferenceData {
  /** Third person: "it", "their". Nearly always refer back. */
  pronouns: WordList
  /** "this", "those", "there". Refer back, but have other uses too. */
  demonstratives: WordList
  /** Words with another common use ("I know that …"): they refer back only at the end or next to an auxiliary. */
  ambiguous: WordList
  /** "else", "another", "again": the question continues a topic. */
  continuers: WordList
  /** How an elliptical question begins: "and …", "what about …". */
  openers: PhraseList
  /** How an elliptical question ends, in languages that mark it there: Chinese "…呢", Japanese "…は". */
  enders: PhraseList
  /** Complete questions without a topic: "why?", "how much?". */
  bareQuestions: PhraseList
  /** Definite articles: "the trip" alone refers back, "the trip to Rome" does not. */
  articles: WordList
}

interface SentenceData {
  /** A full stop after these does not end a sentence. Case-sensitive. */
  abbreviations?: Pattern
  /** Begins a sentence that depends on the previous one: "It", "However". */
  dependentStart?: Pattern
  /** A word that joins a sentence to the one before and can be left out with its comma: "However, …". */
  connector?: Pattern
  /** A sentence that only invites to act or read on: "Learn more.", "Upgrade now." */
  callToAction?: Pattern
  /** Describes the page itself: "This page explains how to …". */
  aboutPage?: Pattern
  denial?: Pattern
  /** Pairs separated by a slash: "before/after". */
  opposites?: WordList
  /** The words that open the answer to a yes-or-no question, with a full stop. */
  yes: string
  no: string
  /** One cell of a table as a sentence, with `{column}`, `{row}` and `{value}`. */
  tableCell: string
  /** Likewise where the column names a price: `{unit}` is what `priceColumn` captures, " per month". */
  tablePrice: string
  priceColumn: Pattern
  /** A column's name that says nothing beside the row's: "Amount". */
  plainColumn: Pattern
  /** How ranges of numbers are written: "50 to 100", "up to 50", "over 100". */
  range?: { to: Pattern; upTo: Pattern; over: Pattern }
  /** What answers to "how many", "when" or "why" contain, besides figures. */
  number?: Pattern
  time?: Pattern
  reason?: Pattern
  /** Units of time: days, weeks. */
  duration?: Pattern
  /** Headings without a topic of their own. */
  emptyHeading?: Pattern
}

/** How numbers with units are written. */
export interface MeasureData {
  /** Unit names by symbol: "°C", "kg". */
  units?: Record<string, Pattern>
  /** Number words, starting at one; figures in place of those that mean something else in another language. */
  numbers?: WordList
  /** Before a number of people: "sleeps 4". */
  holds?: Pattern
  /** Between two numbers that share a unit: "5 to 8 cm". */
  joint?: Pattern
  aspects?: Partial<Record<'width' | 'height' | 'depth' | 'diameter' | 'length', Pattern>>
  /** Before or after a load, which is not the product's own weight. */
  carries?: Pattern
  /** Likewise for other measures not of the thing itself: a water column, the range of a lamp. */
  notOwn?: Pattern
  /** Names of the attributes that hold the thing's own measures. */
  attributes?: Partial<Record<'mass' | 'length', Pattern>>
}

/** How people ask for a human; folded (lower case, no accents, no punctuation). */
interface PersonData {
  /** "talk to", "connect me with": counts when followed by a person within a few words. */
  speak: PhraseList
  /** Where the verb is separated from "with" (German, Dutch), the message must contain one of these too. */
  needs?: PhraseList
  /** "I want", "give me": counts when a person soon after ends the message. */
  want: PhraseList
  /** Words for the person asked for. */
  person: PhraseList
  /** Sufficient anywhere in the message; with a leading "=" only as the whole message. */
  direct: PhraseList
  /** Words right after a person that change the meaning: "human hair", "agent fees". */
  otherwise: PhraseList
  /** Words between a wish and a person that change the meaning: "I want a present for someone". */
  notFor?: PhraseList
  /** May follow the person at the end: "please". */
  politeEnd?: PhraseList
}

export interface FallbackSentences {
  /** Nothing relevant was found. */
  noAnswer: string
  /** Before an answer that may be wrong; ends with a colon. */
  hedge: string
  /** For one of two questions in a message, `{part}`, that has no answer. */
  partUnknown: string
  /** Before a passage in another language, `{language}`; ends with a colon. */
  foundIn: string
  /** Names the closest page. */
  closestPage: string
  /** Gives an email address or phone number from the company's own pages. */
  reachUs: string
  /** Offers a handover to a person. */
  offerPerson: string
  /** A person was asked to take over. */
  handedOver: string
  /** Nobody is available; asks for contact details, whatever the form has fields for. */
  leaveContact: string
  /** An email address or phone number was left. */
  contactNoted: string
}

/**
 * What a visitor who asks for a person is told about the wait. `{time}` and `{day}` stand as nominatives: "2 hours", "Monday".
 * Two forms with a bar between them: at one o'clock, and at any other time.
 */
interface WaitingSentences {
  /** `{time}`: a length of time. */
  usually: string
  /** `{day}`: today or tomorrow; `{time}`: the time of day. */
  backSoon: string
  /** `{day}`: a day of the week, perhaps with its date. */
  backOn: string
}

interface ContactData {
  /** Finds passages about getting in touch. */
  words: WordList
  /** Said with or for them by who asks how to get in touch; neither stop words nor words that only ask. */
  asks?: WordList
  /** What a page or section about getting in touch is called. */
  pages: PhraseList
  /** Before a phone number. */
  phone?: Pattern
  /** Before a number that is not a phone number: order, invoice, customer. */
  notPhone?: Pattern
  /** "number" and "is", which may come in between. */
  number?: Pattern
  is?: Pattern
}

export interface ProductData {
  sentences: ProductSentences
  /** How people ask for and about products; patterns over folded words. */
  phrases?: Partial<Record<ProductPhrase, Pattern>>
  /** Before "my …", these mark a purpose, not a possession: "for my office". */
  ownUse?: PhraseList
  /** May precede a question: "and", "so". */
  opening?: PhraseList
  /** References to the products listed in the last answer. Folded. */
  discussion?: Partial<Record<'one' | 'several' | 'first' | 'second' | 'third' | 'continues', Pattern>>
  /** Words around a criterion that name no product. */
  fillers?: WordList
  /** By English name. Folded. */
  colours?: Record<string, WordList>
  audiences?: Record<string, WordList>
  /** Different names for the same thing, by English name. */
  synonyms?: Record<string, PhraseList>
  price?: PriceData
  /** Wording of limits, before or after the number. */
  measures?: {
    smaller?: Pattern
    larger?: Pattern
    downTo?: Pattern
    minimum?: Pattern
    /** Temperature resistance: "up to 200 °C". */
    bears?: Pattern
    between?: Pattern
    for?: Pattern
    orLess?: Pattern
    orMore?: Pattern
    /** Numbers of people without the word "people": "a table for six". */
    people?: PhraseList
  }
  /** Folded. */
  comparatives?: Partial<Record<ProductComparative, Pattern>>
  /** A comparative that asks for the most of all, with what stands behind it: "lightest", "plus léger" without "que". */
  superlative?: Pattern
  /** Clothing sizes: "size M", "in a large", and with the word behind the size, as Turkish "M beden". */
  sizes?: { name?: Pattern; before?: Pattern; after?: Pattern; behind?: Pattern; names?: WordList }
  /** Between alternatives. */
  or?: PhraseList
  /** Unspecified products: "something for yoga". */
  something?: PhraseList
  /** A present, which can be anything: "a gift for a hiker". Followed by a purpose, if the language has `purpose`. */
  gift?: PhraseList
  purpose?: PhraseList
  /** End the name of the wanted product: "a bag with straps". */
  kindEnds?: PhraseList
  /** One line per property: words people use for it, whatever the shop calls it. */
  factTopics?: WordList[]
}

/** Limits stand before the number or, in some languages, behind it: "under 50", "50円以下". */
interface PriceData {
  atMost?: Pattern
  atLeast?: Pattern
  about?: Pattern
  between?: Pattern
  and?: Pattern
  atMostAfter?: Pattern
  atLeastAfter?: Pattern
  aboutAfter?: Pattern
  betweenAfter?: Pattern
  /** Limits a price only if the currency is named: ages and sizes are written alike. */
  untilAfter?: Pattern
  /** From a price to the next round one: "1000円台" is 1000 to 1999. */
  bandAfter?: Pattern
  /** Names of currencies, besides their signs and codes. */
  currencies?: Pattern
  thousands?: Pattern
  /** Behind numbers that are no prices, besides the units of measures: years, minutes, stars. */
  notPrice?: Pattern
}

export type ProductComparative = 'lighter' | 'heavier' | 'brighter' | 'warmer' | 'longer' | 'shorter' | 'stronger'

export const PRODUCT_PHRASES = [
  'cheapest',
  'mostExpensive',
  'bestRated',
  'newest',
  'cheaper',
  'affordable',
  'inStock',
  'onSale',
  'asksAvailability',
  'asksPrice',
  'asksRating',
  'asksSizes',
  'asksColours',
  'asksContents',
  'asksCare',
  'compares',
  'accessories',
  'either',
  'both',
  'among',
  'shopping',
  'owned',
  'howTo',
  'policy',
] as const
export type ProductPhrase = (typeof PRODUCT_PHRASES)[number]

/**
 * The bot's sentences about products, with placeholders in braces. Where a sentence has two forms with a bar between
 * them, the first answers a question that wants yes or no, and begins with it.
 */
export interface ProductSentences {
  found: string
  cheapest: string
  mostExpensive: string
  bestRated: string
  newest: string
  /** Nothing met every criterion; {missed} lists the missed ones. */
  nearest: string
  onlyOutOfStock: string
  comparison: string
  accessories: string
  alternatives: string
  unknownFact: string
  /** A property beside its name, which may be any part of speech: "Drift 2 tent – Waterproof: yes". */
  fact: string
  weight: string
  noMatch: string
  /** Nothing like {wanted} is sold. */
  notSold: string
  /** Before products with a special price, and before others that were asked for. */
  onSale: string
  notOnSale: string
  nothingOnSale: string
  upTo: string
  from: string
  size: string
  colour: string
  stockCriterion: string
  sizes: string
  colours: string
  price: string
  rating: string
  /** Where one has a form of its own, before a bar: "{count} Bewertung|{count} Bewertungen". */
  reviews: string
  brand: string
  insteadOf: string
  notInVariant: string
  yesInVariant: string
  unknownVariant: string
  offeredIn: string
  availability: Record<'in_stock' | 'out_of_stock' | 'preorder' | 'backorder', string>
  unknownAvailability: string
  yes: string
  no: string
}
