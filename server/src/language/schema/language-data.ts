// What is written down of a language. Each file in data/ is one LanguageData; English has every part and is the model
// for the others. A language that lacks an optional part is treated as if nothing of it were ever said.

import type { ProductData } from './product-data.ts'
import type { Pattern, PhraseList, WordList } from './word-lists.ts'

/** Enough to search texts of a language. */
export interface SearchData {
  name: string
  /** Function words: half of a question is made of them, and their postings are the longest. */
  stopWords: WordList
}

/** Enough to hold a conversation. */
export interface LanguageData extends SearchData {
  /** Written without spaces between words. */
  isUnspaced?: boolean
  /** Endings are attached to words, so a phrase may end inside one. */
  attachesEndings?: boolean
  /** A question word may stand anywhere, not only where a clause begins. */
  asksAnywhere?: boolean
  questions: QuestionData
  reference: ReferenceData
  sentences: SentenceData
  measures?: MeasureData
  smallTalk: {
    /** In lower case, without punctuation. */
    phrases: Record<SmallTalkKind, PhraseList> & {
      /** Words that only decorate ("there", "so much"), so that the phrases stay short. */
      fillers: PhraseList
    }
    /** Greetings only when a pause follows: "morning delivery", "Tag der offenen Tür". Folded. */
    greetsOnlyAlone?: PhraseList
    /** `{bot}` stands for the bot's name. */
    replies: Record<Tone, Record<SmallTalkKind, string>>
  }
  person: PersonData
  /** Said when the sources hold no answer. */
  fallback: Record<Tone, FallbackSentences>
  /** Short enough for a button, and a sentence for the reading page of a source that is gone. */
  buttons: { person: string; contact: string; sourceGone: string }
  contact: ContactData
  products: ProductData
}

export const tones = ['formal', 'casual'] as const
export type Tone = (typeof tones)[number]

export const smallTalkKinds = [
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
export type SmallTalkKind = (typeof smallTalkKinds)[number]

export interface QuestionData {
  /** Words that begin a question. */
  words: WordList
  /** Verbs that carry a question and can follow a definite noun: "was the trip …", "the band is …". */
  auxiliaries: WordList
  /** Words around what a question is about: "return policy" asks about returns. */
  frameWords?: WordList
  /** How a second question in one message begins, and what joins it to the first. */
  clauseStart?: PhraseList
  clauseJoin?: PhraseList
  /** Asks for a number, an amount or a time. */
  asksFigure?: Pattern
  /** What kind of thing is asked for; the first that fits counts. */
  answerTypes?: Record<AnswerKind, Pattern>
  /** Whether a message asks for knowledge or wants something done. */
  intent?: Record<IntentSign, Pattern>
  /** Asked from one person to another: "I", "my", "you". */
  personal?: Pattern
  /** What shape of answer is expected, for the passages that the reader has marked. */
  expects?: {
    yesNoQuestion: Pattern
    oneThing: Pattern
    severalThings: Pattern
    /** A sentence that denies or limits. */
    limits: Pattern
  }
}

export type AnswerKind = 'time' | 'figure' | 'person' | 'place' | 'reason' | 'manner'
export type IntentSign =
  | 'request'
  | 'wish'
  | 'transaction'
  | 'recordField'
  | 'slotValue'
  | 'acknowledgement'
  | 'thanks'
  | 'quality'

/** Words by which a question depends on what was said before. */
export interface ReferenceData {
  /** Third person: "it", "their". They nearly always point back. */
  pronouns: WordList
  /** "this", "those", "there". They point back, but also have other uses. */
  demonstratives: WordList
  /** Words with an everyday other use ("I know that …"): they point back only at the end or next to an auxiliary. */
  ambiguous: WordList
  /** "else", "another", "again": the question goes on with something. */
  continuers: WordList
  /** How an elliptic question begins: "and …", "what about …". */
  openers: PhraseList
  /** How an elliptic question ends where the language marks it there: Chinese "…呢", Japanese "…は". */
  enders: PhraseList
  /** Whole questions without a topic: "why?", "how much?". */
  bareQuestions: PhraseList
  /** Definite articles: "the trip" alone points back, "the trip to Rome" does not. */
  articles: WordList
}

export interface SentenceData {
  /** A full stop after these ends no sentence. Case counts. */
  abbreviations?: Pattern
  /** Begins a sentence that cannot be understood without the one before: "It", "However". */
  dependentStart?: Pattern
  /** Speaks of the page it stands on: "This page explains how to …". */
  aboutPage?: Pattern
  denial?: Pattern
  /** Pairs with a slash between: "before/after". */
  opposites?: WordList
  /** What an answer to "how many", "when" or "why" holds, besides figures. */
  number?: Pattern
  time?: Pattern
  reason?: Pattern
  /** Headings that name no topic of their own. */
  emptyHeading?: Pattern
}

/** How numbers with units are written. */
export interface MeasureData {
  /** Names of units by their sign: "°C", "kg". */
  units?: Record<string, Pattern>
  /** From one on. */
  numbers?: WordList
  /** Before a number of people: "sleeps 4". */
  holds?: Pattern
  /** Between two numbers of one unit: "5 to 8 cm". */
  joint?: Pattern
  aspects?: Partial<Record<'width' | 'height' | 'depth' | 'diameter' | 'length', Pattern>>
  /** Before or after what a thing carries, which is not its own weight. */
  carries?: Pattern
  /** The same for other measures that are not of the thing itself: a water column, the range of a lamp. */
  notOwn?: Pattern
  /** What attributes are called that tell the thing's own measures. */
  attributes?: Partial<Record<'mass' | 'length', Pattern>>
}

/** How people ask for a human; folded (lower case, no accents, no punctuation). */
export interface PersonData {
  /** "talk to", "connect me with": counts when a person follows within a few words. */
  speak: PhraseList
  /** Where the verb stands apart from "with" (German, Dutch), one of these must be in the message as well. */
  needs?: PhraseList
  /** "I want", "give me": counts when the message ends with a person soon after. */
  want: PhraseList
  /** Who is asked for. */
  person: PhraseList
  /** Enough by themselves anywhere in the message; with "=" in front only as the whole message. */
  direct: PhraseList
  /** Words right after a person that make it something else: "human hair", "agent fees". */
  otherwise: PhraseList
  /** Between a wish and a person, these make it another wish: "I want a present for someone". */
  notFor?: PhraseList
  /** What may follow the person at the end: "please". */
  politeEnd?: PhraseList
}

export interface FallbackSentences {
  /** Nothing fitting found. */
  noAnswer: string
  /** Names the page that comes nearest. */
  closestPage: string
  /** Tells how to reach the company, by an address or a number from its own pages. */
  reachUs: string
  /** Offers a person. */
  offerPerson: string
  /** A person has been asked to take over. */
  handedOver: string
  /** No person is there now; asks for an address or a number. */
  leaveContact: string
  /** An address or a number was left. */
  contactNoted: string
}

export interface ContactData {
  /** What a page calls the place where it tells how to reach the company; the first word must be in its title. */
  words: WordList
  /** Before a number: it is a phone number. */
  phone?: Pattern
  /** Before a number: it is an order, an invoice, a customer. */
  notPhone?: Pattern
  /** "number" and "is", which may stand between. */
  number?: Pattern
  is?: Pattern
}
