// Parses a product question: words for the product, and criteria on price, size, colour, brand and order. Facet values
// come from the shop's own catalogue.

import { askingText } from '../../answers/compose/question-shape.ts'
import { fold, foldLetters, unfoldedSlice } from '../../language/fold.ts'
import { stopWords } from '../../language/languages.ts'
import { isSpaceless } from '../../language/scripts.ts'
import { stem } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import { joinCompounds } from '../index/product-terms.ts'
import type { Catalogue, Criterion, ProductQuery, Sort } from '../product.ts'
import { type Comparative, parseComparative, parseMeasureRanges, parsePriceRange } from './parse-ranges.ts'
import {
  afterSizePattern,
  colourFamilies,
  type ShopWords,
  shopWords,
  sizeNames,
  sizePattern,
  synonyms,
  topicOf,
} from './shop-words.ts'

interface TermCriterion extends Criterion {
  /** As stored in the catalogue. */
  term: string
  surface: string
  /** 0 to 1; also 1 for words missing from the catalogue. */
  rarity: number
  /** From a clause that asks something, not from the text around it. */
  isAsked: boolean
}

export interface FacetCriterion extends Criterion {
  kind: 'brand' | 'colour' | 'size' | 'audience' | 'measure' | 'sale'
  /** As asked. */
  value: string
}

export interface ProductQuestion {
  text: string
  /** Lower case without accents. */
  folded: string
  terms: TermCriterion[]
  /** Index of the term that names the product kind, -1 without terms. */
  head: number
  facets: FacetCriterion[]
  minPrice: number | undefined
  maxPrice: number | undefined
  sort: Sort
  sortedBy: ProductQuery['sortedBy']
  comparative: Comparative | undefined
  inStock: boolean
  says: Record<keyof ShopWords['phrases'], boolean>
  /** Of its language. */
  vocabulary: ShopWords
}

// "The Fjord or the Aurora" are two products; "mats or straps" is one criterion.
const NAME = 0.5
// Terms and facets share one bit mask.
const MAX_TERMS = 14
export const MAX_FACETS = 8
// The question comes first; what is pasted after it would only cost time.
const MAX_WORDS = 120
export const LONGEST_PRODUCT_QUESTION = 300
const CHILDREN = 2
const LETTERS = 'xxs|xs|s|m|l|xl|xxl|xxxl|[2-6]xl'
// "L/XL" is one size.
const LETTER_SIZE = `(?:${LETTERS})(?:/(?:${LETTERS}))?`
const SIZES = `${LETTER_SIZE}|${[...sizeNames].join('|')}`
const NAMED_SIZE = new RegExp(
  String.raw`${sizePattern('name')}\s*(${SIZES}|\d{2,3}(?:[.,]5)?(?:/\d{2,3})?)(?![\p{L}\p{N}])`,
  'iu',
)
const SIZE_AFTER_IN = new RegExp(
  String.raw`${sizePattern('before')}\s+(${SIZES}|\d{2,3}(?:[.,]5)?)(?=\s*(?:$|[?.!,]|${afterSizePattern}))`,
  'iu',
)
const SIZE_FIRST = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}.,])(${SIZES}|\d{2,3}(?:[.,]5)?)\s*${sizePattern('behind')}`,
  'iu',
)
// Chinese and Japanese write letters right beside a size.
const PLAIN_SIZE = /(?<![\p{Script=Latin}\p{N}'’-])(xxs|xs|xl|xxl|xxxl|[2-6]xl)(?![\p{Script=Latin}\p{N}'’-])/u
const CAPITALS = LETTER_SIZE.toUpperCase()
const CAPITAL_SIZE = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}'’-])(${CAPITALS})(?![\p{Script=Latin}\p{N}'’-])`,
  'u',
)
const [small = '', medium = '', large = ''] = sizeNames
const sizeWords: Record<string, string> = { [small]: 's', [medium]: 'm', [large]: 'l' }

export function parseProductQuestion(message: string, language: string, catalogue: Catalogue): ProductQuestion {
  const text = withPlainDigits(message.slice(0, LONGEST_PRODUCT_QUESTION))
  const vocabulary = shopWords(language)
  const { phrases } = vocabulary
  const measures = parseMeasureRanges(text)
  const price = parsePriceRange(measures.rest)
  const foldedText = foldLetters(text).replace(/\s+/g, ' ')
  const says = {
    ...(Object.fromEntries(
      Object.entries(phrases).map(([name, pattern]) => [name, pattern.test(foldedText)]),
    ) as ProductQuestion['says']),
    shopping: phrases.shopping.test(foldedText) || vocabulary.gift.test(text),
    howTo: phrases.howTo.test(foldLetters(askingText(text, language))),
    // "Discounted" asks for products here, not for the terms of a discount.
    policy: phrases.policy.test(foldedText.replace(phrases.onSale, ' ')),
  }
  const size = readSize(price.rest, catalogue)
  const facets: FacetCriterion[] = size.facet ? [size.facet] : []
  for (const { text: value, ...measure } of measures.criteria)
    facets.push({ kind: 'measure', value, anyOf: [], measure })
  const sale = says.policy || says.howTo ? undefined : phrases.onSale.exec(foldedText)?.[0]
  if (sale) facets.push({ kind: 'sale', value: '', anyOf: [{ key: 'price:reduced', weight: 1 }] })
  const comparative = parseComparative(foldedText, text)
  const rest = [sale, comparative?.word].reduce(withoutWords, size.rest)
  // "How heavy is the lightest tent?" does not ask for a heavy one.
  const wordsText = comparative ? rest.replace(/\bhow\s+\p{L}+\b/iu, ' ') : rest
  const { terms, head } = readWords(joinCompounds(wordsText), language, vocabulary, catalogue, facets)
  const sort = sortOf(says, comparative)
  return {
    text,
    folded: foldedText,
    terms,
    head,
    facets,
    minPrice: price.minPrice,
    maxPrice: price.maxPrice,
    sort,
    sortedBy: comparative && { dimension: comparative.dimension, aspect: 'main' },
    comparative,
    inStock: says.inStock,
    says,
    vocabulary,
  }
}

const WIDE_OR_ARABIC = /[\uff01-\uff5e٠-٩۰-۹]/g

/** "５０００円" and "١٠٠ ريال" with the digits that patterns are written for; the length stays. */
function withPlainDigits(text: string): string {
  return text.replace(WIDE_OR_ARABIC, (sign) => {
    const code = sign.charCodeAt(0)
    return code >= 0xff01 ? String.fromCharCode(code - 0xfee0) : String(code & 15)
  })
}

/** Removes the words of a folded phrase, however the text spells them. */
function withoutWords(text: string, phrase = ''): string {
  if (isSpaceless(phrase)) {
    const at = foldLetters(text).indexOf(phrase)
    if (at < 0) return text
    return `${unfoldedSlice(text, 0, at)} ${unfoldedSlice(text, at + phrase.length, Number.POSITIVE_INFINITY)}`
  }
  const phraseWords = new Set(phrase.split(' '))
  return text.replace(/[\p{L}\p{M}]+/gu, (word) => (phraseWords.has(foldLetters(word)) ? ' ' : word))
}

/** The product kind with the words before it: "vacuum flask". */
export function nounPhrase({ text, terms, head }: ProductQuestion): { text: string; from: number } {
  const lower = text.toLowerCase()
  let phrase = terms[head]?.surface ?? ''
  let from = head
  while (from > 0 && from > head - 2) {
    const longer = `${terms[from - 1]?.surface} ${phrase}`
    if (!lower.includes(longer)) break
    phrase = longer
    from--
  }
  return { text: phrase, from }
}

function sortOf(says: ProductQuestion['says'], comparative: Comparative | undefined): Sort {
  const { cheapest, mostExpensive, bestRated, newest, affordable } = says
  if (cheapest) return 'price_up'
  if (mostExpensive) return 'price_down'
  if (bestRated) return 'rating'
  if (newest) return 'newest'
  if (comparative?.isSuperlative) return comparative.sort
  return affordable ? 'price_up' : 'relevance'
}

function readSize(text: string, catalogue: Catalogue): { facet: FacetCriterion | null; rest: string } {
  const plain = foldLetters(text)
  const match =
    NAMED_SIZE.exec(plain) ??
    SIZE_AFTER_IN.exec(plain) ??
    SIZE_FIRST.exec(plain) ??
    CAPITAL_SIZE.exec(text) ??
    PLAIN_SIZE.exec(text)
  const matchedWord = match?.[1]?.toLowerCase()
  if (!match || !matchedWord) return { facet: null, rest: text }
  const value = catalogue.facetValue(sizeWords[matchedWord] ?? matchedWord)
  const explicit = NAMED_SIZE.test(plain)
  // A number the catalogue does not have as a size means something else, unless it was explicitly called a size.
  if (!explicit && /^\d/.test(value) && !catalogue.hasFacet('size', value)) return { facet: null, rest: text }
  const rest =
    plain.length === text.length ? `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}` : text
  const values = [value, ...(matchedWord.includes('/') ? value.split(' ') : [])]
  const criterion = { anyOf: values.map((one) => ({ key: `size:${one}`, weight: 1 })), ofVariant: true }
  return { facet: { kind: 'size', value: match[1] ?? value, ...criterion }, rest }
}

/** Brand and colour names may have several words, so try the longest run first. */
function readWords(
  text: string,
  language: string,
  vocabulary: ShopWords,
  catalogue: Catalogue,
  facets: FacetCriterion[],
) {
  const { gift, something, or, kindEnds } = vocabulary
  const all = words(text.replace(gift, ' '), language).slice(0, MAX_WORDS)
  const values = all.map((word) => catalogue.facetValue(word))
  const terms: TermCriterion[] = []
  const asking = new Set(words(askingText(text, language), language))
  let head = -1
  let headEnded = something.test(text) || gift.test(text)
  for (let at = 0; at < all.length; ) {
    const run = facetRun(all, values, at, vocabulary, catalogue)
    if (run) {
      const before = facets.find(({ kind }) => kind === run.facet.kind)
      if (before && before.kind === 'colour' && or.test(all[at - 1] ?? ''))
        before.anyOf = [...before.anyOf, ...run.facet.anyOf]
      else if (facets.length < MAX_FACETS) facets.push(run.facet)
      at += run.length
      continue
    }
    const word = all[at++] ?? ''
    if (kindEnds.test(word) && head >= 0) headEnded = true
    const criterion = termCriterion(word, language, vocabulary, catalogue)
    if (!criterion || terms.some(({ term }) => term === criterion.term)) continue
    const last = terms.at(-1)
    // "Mats or straps": either matches.
    if (last && or.test(all[at - 2] ?? '') && catalogue.nameShare(criterion.term) < NAME) {
      last.anyOf = [...last.anyOf, ...criterion.anyOf]
      continue
    }
    // "リュックの重さ", the weight of a backpack, is about a backpack.
    const isProperty =
      head >= 0 && isSpaceless(word) && criterion.anyOf.length === 0 && topicOf(stem(word, language), language).size > 0
    if (!headEnded && !isProperty) head = terms.length
    terms.push({ ...criterion, isAsked: asking.has(word) })
  }
  if (terms.length <= MAX_TERMS) return { terms, head }
  // In a long message, words in the catalogue show what it is about.
  const knownTerms = terms.filter(({ anyOf }) => anyOf.length > 0).slice(0, MAX_TERMS)
  const headTerm = terms[head]
  return { terms: knownTerms, head: headTerm ? knownTerms.indexOf(headTerm) : -1 }
}

function facetRun(
  all: string[],
  values: string[],
  at: number,
  { colours, audiences, isFiller }: ShopWords,
  catalogue: Catalogue,
): { facet: FacetCriterion; length: number } | null {
  for (let length = Math.min(4, all.length - at); length > 0; length--) {
    const run = all.slice(at, at + length).join(' ')
    const value = values.slice(at, at + length).join(' ')
    if (value.length > 1 && catalogue.hasFacet('brand', value)) {
      return { facet: { kind: 'brand', value: run, anyOf: [{ key: `brand:${value}`, weight: 1 }] }, length }
    }
    if (length > 1 && catalogue.hasFacet('colour', value)) return { facet: colour(run, [`colour:${value}`]), length }
  }
  const word = all[at] ?? ''
  const foldedWord = fold(word)
  const family = [colours, shopWords(catalogue.language).colours]
    .map((all) => colourFamilies[all.findIndex((names) => names.includes(foldedWord))])
    .find(Boolean)
  if (family) {
    const keys = family.filter((name) => catalogue.hasFacet('colour word', name)).map((name) => `colour word:${name}`)
    // Use the exact colour if the shop has it: "navy" is not just any blue.
    const colourKeys =
      catalogue.hasFacet('colour word', foldedWord) && foldedWord !== family[0] ? [`colour word:${foldedWord}`] : keys
    if (keys.length > 0) return { facet: colour(word, colourKeys), length: 1 }
  }
  if (!family && word.length > 2 && catalogue.hasFacet('colour', foldedWord) && !isFiller(word)) {
    return { facet: colour(word, [`colour:${foldedWord}`]), length: 1 }
  }
  const audience = audiences.findIndex((names) => names.includes(foldedWord) || names.includes(word))
  if (audience < 0) return null
  const facetKeys = [audiences, shopWords(catalogue.language).audiences]
    .flatMap((all) => all[audience] ?? [])
    .map((name) => stem(name, catalogue.language))
    .filter((name) => catalogue.rarity(name) !== undefined)
  if (facetKeys.length === 0) return null
  const anyOf = [...new Set(facetKeys)].map((key) => ({ key, weight: 1 }))
  return {
    facet: {
      kind: 'audience',
      value: word,
      anyOf: [...anyOf, ...(audience === CHILDREN ? [] : [{ key: 'unisex', weight: 0.5 }])],
      strong: true,
    },
    length: 1,
  }
}

function colour(value: string, keys: string[]): FacetCriterion {
  return { kind: 'colour', value, anyOf: keys.map((key) => ({ key, weight: 1 })), ofVariant: true }
}

function termCriterion(
  word: string,
  language: string,
  { isFiller }: ShopWords,
  catalogue: Catalogue,
): Omit<TermCriterion, 'isAsked'> | null {
  if (stopWords(language).has(word) || stopWords(catalogue.language).has(word) || isFiller(word)) return null
  if (word.length === 1 && !/\d/.test(word) && !isSpaceless(word)) return null
  const term = stem(word, catalogue.language)
  const rarity = catalogue.rarity(term)
  const alike = likeNamed(word, language, catalogue)
  if (rarity !== undefined) return { term, surface: word, rarity, anyOf: [{ key: term, weight: 1 }, ...alike] }
  const activity = activityOf(word, catalogue)
  if (activity)
    return { term: activity.key, surface: word, rarity: catalogue.rarity(activity.key) ?? 1, anyOf: [activity] }
  const isSpelt = topicOf(stem(word, language), language).size > 0
  const guesses = isSpelt ? [] : catalogue.similar(term)
  const similar = alike.length > 0 ? alike.map(({ key, weight }) => ({ term: key, weight })) : guesses
  const [best] = similar
  if (!best) return { term, surface: word, rarity: 1, anyOf: [] }
  const anyOf = similar.map(({ term: key, weight }) => ({ key, weight }))
  return { term: best.term, surface: word, rarity: catalogue.rarity(best.term) ?? 1, anyOf }
}

/** What a hiker or a runner does, in English. */
function activityOf(word: string, catalogue: Catalogue): { key: string; weight: number } | undefined {
  const base = /^(\p{L}{3,})ers?$/u.exec(word)?.[1]
  if (!base || catalogue.language !== 'en') return undefined
  const bases = [base, `${base}e`, base.replace(/(.)\1$/, '$1')]
  const key = bases
    .flatMap((one) => [stem(one, 'en'), stem(`${one}ing`, 'en')])
    .find((one) => catalogue.rarity(one) !== undefined)
  return key === undefined ? undefined : { key, weight: 0.8 }
}

/** Synonyms, and the end of a German compound: "Wanderschuhe" are shoes. */
function likeNamed(word: string, language: string, catalogue: Catalogue): { key: string; weight: number }[] {
  const wordStem = stem(word, language)
  const names =
    synonyms.find((all) => all.includes(word)) ??
    synonymsByStem(language).get(wordStem) ??
    synonyms.find((all) => all.some((name) => isCompound(word, name)))
  if (!names) return []
  const others = names.filter((name) => name !== word).map((name) => stem(name, catalogue.language))
  return [...new Set(others)].filter((key) => catalogue.rarity(key) !== undefined).map((key) => ({ key, weight: 0.8 }))
}

const stemmedSynonyms = new Map<string, Map<string, readonly string[]>>()

/** Stemming all of them for each word of a question took longer than the search. */
function synonymsByStem(language: string): Map<string, readonly string[]> {
  let byStem = stemmedSynonyms.get(language)
  if (!byStem) {
    // The first list that has a stem wins.
    byStem = new Map(synonyms.toReversed().flatMap((all) => all.map((name) => [stem(name, language), all] as const)))
    stemmedSynonyms.set(language, byStem)
  }
  return byStem
}

const isCompound = (word: string, name: string): boolean =>
  name.length >= 4 && word.length >= name.length + 3 && word.endsWith(name)
