// What is written down of a language for questions about products.
import type { Pattern, PhraseList, WordList } from './word-lists.ts'

export interface ProductData {
  sentences: ProductSentences
  /** How people ask for products and about them; patterns of folded words. */
  phrases?: Partial<Record<ProductPhrase, Pattern>>
  /** Before "my …" these make it a purpose, not a possession: "for my office". */
  ownUse?: PhraseList
  /** What may stand before a question: "and", "so". */
  opening?: PhraseList
  /** How a question speaks of the products that the last answer listed. Folded. */
  discussion?: Partial<Record<'one' | 'several' | 'first' | 'second' | 'third' | 'continues', Pattern>>
  /** What is said around a criterion and names nothing that is sold. */
  fillers?: WordList
  /** Names by the English one. Folded. */
  colours?: Record<string, WordList>
  audiences?: Record<string, WordList>
  /** Names of one thing that shops and visitors call differently, by the English one. */
  synonyms?: Record<string, PhraseList>
  price?: { atMost: Pattern; atLeast: Pattern; about?: Pattern; between?: Pattern; and?: Pattern }
  /** How limits of measures are said, before the number or after it. */
  measures?: {
    smaller?: Pattern
    larger?: Pattern
    downTo?: Pattern
    minimum?: Pattern
    /** What it stands, of temperatures: "up to 200 °C". */
    bears?: Pattern
    between?: Pattern
    for?: Pattern
    orLess?: Pattern
    orMore?: Pattern
    /** Numbers of people that go without "people": "a table for six". */
    people?: PhraseList
  }
  /** Folded. */
  comparatives?: Partial<Record<ProductComparative, Pattern>>
  /** How sizes of clothes are said: "size M", "in a large". */
  sizes?: { name?: Pattern; before?: Pattern; after?: Pattern; names?: WordList }
  /** Between two things of which either will do. */
  or?: PhraseList
  /** "Something for yoga" does not say what. */
  something?: PhraseList
  purpose?: PhraseList
  /** What is looked for is named before these: "a bag with straps". */
  kindEnds?: PhraseList
  /** Words in which people ask about one property, however the shop calls it; a line each. */
  factTopics?: WordList[]
}

export type ProductComparative = 'lighter' | 'heavier' | 'brighter' | 'warmer' | 'longer' | 'shorter' | 'stronger'

export const productPhrases = [
  'cheapest',
  'mostExpensive',
  'bestRated',
  'newest',
  'cheaper',
  'affordable',
  'inStock',
  'asksAvailability',
  'asksPrice',
  'asksRating',
  'asksSizes',
  'asksColours',
  'asksContents',
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
export type ProductPhrase = (typeof productPhrases)[number]

/** What the bot says about products. Names and facts are put in where braces stand. */
export interface ProductSentences {
  found: string
  cheapest: string
  mostExpensive: string
  bestRated: string
  newest: string
  /** Nothing met every criterion; {missed} tells which. */
  nearest: string
  onlyOutOfStock: string
  comparison: string
  accessories: string
  alternatives: string
  /** Nothing is known about it. */
  unknownFact: string
  noMatch: string
  /** Nothing like {wanted} is sold. */
  notSold: string
  upTo: string
  from: string
  size: string
  colour: string
  stockCriterion: string
  sizes: string
  colours: string
  price: string
  rating: string
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
