// The data of a language for questions about products.
import type { Pattern, PhraseList, WordList } from './word-lists.ts'

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
