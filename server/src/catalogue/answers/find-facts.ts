// Facts from a product's data that match a question: attributes and sentences of the description, verbatim, best first.
// Words find them; the reader, if available, decides whether and which of them answers.

import type { Knowledge } from '../../answers/types.ts'
import { stopWords } from '../../language/languages.ts'
import { isOwnWeight } from '../../language/measures.ts'
import { asksForFigure } from '../../language/question-words.ts'
import { sentences } from '../../language/sentences.ts'
import { stem } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import type { ShopProduct } from '../product.ts'
import { topicOf } from '../question/shop-words.ts'
import { attributeText, labelled, type ProductTextOptions } from './product-text.ts'

export interface Fact {
  text: string
  /** An attribute's name; empty for a sentence. */
  label: string
  order: number
  /** 0 to 1: share of the question, by word weight, that the fact covers. */
  fit: number
  /** What was asked for is its label, and nothing else: "waterproof", but not of the floor, and not free of nickel. */
  isNamed: boolean
  /** An attribute that says that the product is what its name says, or has it, or not; undefined if it says neither. */
  holds?: boolean | undefined
  isWeight?: boolean | undefined
}

const LABEL = 1
const TOPIC_LABEL = 0.85
const VALUE = 0.9
const PROSE = 0.8
const TOPIC_VALUE = 0.4
const AKIN = 0.5
// 18" x 10" x 6", L 29" x W 13": clearly dimensions, even without a label.
const MEASURES = /\d\s*(?:"|”|''|cm|mm|in)?\s*[x×]\s*\w?\s*\d/i
const FIGURE = 0.15
// "3,000 mm" of waterproofness is some, "0 mm" is none that anyone would ask for.
const SOME = /^(?=.*[1-9])\d[\d.,\s\u00a0]*(?:[\p{L}°%/²³]+)?$/u
const WEIGHT = /^\d[\d.,\s\u00a0–-]*\p{L}{1,12}$/u
// Roughly the length of the reader's input.
const MAX_READ = 900
// Internal shop fields that answer no question.
const INTERNAL = /^(?:type|custom_label_\d|visibility|url_key|tax_class|status|condition|new|sale)$/

export function findFacts(
  product: ShopProduct,
  questionStems: readonly string[],
  question: string,
  language: string,
  textOptions: ProductTextOptions,
): Fact[] {
  const attributes = Object.entries(product.attributes)
    .filter(([key]) => !INTERNAL.test(key))
    .map(([key, value]) => attributeText(key, value, textOptions))
    .map(({ label, text }): FactToRank => {
      const isWeight = isOwnWeight(label) && WEIGHT.test(text)
      return { label, text, holds: holds(text, textOptions), isWeight }
    })
  if (product.brand) attributes.push({ label: textOptions.sentences.brand, text: product.brand })
  const prose = sentences(product.description, language).map(({ start, end }) => ({
    label: '',
    text: product.description.slice(start, end).replace(/^[•*-]\s*/, ''),
  }))
  return rankFacts([...attributes, ...prose], questionStems, question, language)
}

function holds(text: string, { sentences: { yes, no } }: ProductTextOptions): boolean | undefined {
  if (text === no) return false
  return text === yes || SOME.test(text) ? true : undefined
}

export type ReadProduct = (question: string, title: string, text: string) => ReturnType<Knowledge['read']>

/** The fact the reader selects, with its log-odds; undefined without a reader. */
export async function readFacts(
  facts: readonly Fact[],
  question: string,
  title: string,
  readProduct: ReadProduct,
): Promise<{ fact: Fact; relevance: number } | undefined> {
  const shownFacts: Fact[] = []
  let length = 0
  for (const fact of facts) {
    length += readText(fact).length
    if (length > MAX_READ && shownFacts.length > 0) break
    shownFacts.push(fact)
  }
  // In the order of a page: the description first, sentence by sentence.
  shownFacts.sort((a, b) => Number(a.label !== '') - Number(b.label !== '') || a.order - b.order)
  const lines = shownFacts.map(readText)
  const text = lines.map((line, at) => line + (shownFacts[at]?.label ? '\n' : ' ')).join('')
  const [reading] = (await readProduct(question, title, text)) ?? []
  if (!reading) return undefined
  const { start, end } = reading.span ?? { start: 0, end: 0 }
  let from = 0
  const shares = lines.map((line) => {
    const share = Math.min(end, from + line.length) - Math.max(start, from)
    from += line.length + 1
    return share
  })
  const most = Math.max(...shares)
  const fact = shownFacts[shares.indexOf(most)]
  return fact && most > 0 ? { fact, relevance: reading.relevance } : undefined
}

/** For the reader, which read no other notation when it was trained. */
function readText({ label, text }: Fact): string {
  return label ? `${label}: ${text}` : text
}

export function factText({ label, text }: Pick<Fact, 'label' | 'text'>, textOptions: ProductTextOptions): string {
  return label ? labelled(label, text, textOptions) : text
}

type FactToRank = Omit<Fact, 'order' | 'fit' | 'isNamed'>

function rankFacts(
  facts: readonly FactToRank[],
  questionStems: readonly string[],
  question: string,
  language: string,
): Fact[] {
  const stemmedFacts = facts.map((fact, order) => ({
    order,
    ...fact,
    labels: stems(fact.label, language),
    values: stems(fact.text, language),
  }))
  const rarity = (one: string) => {
    const count = stemmedFacts.filter(({ labels, values }) => labels.has(one) || values.has(one)).length
    return Math.log(1 + (stemmedFacts.length + 1) / (count + 0.5))
  }
  const weights = questionStems.map((one) => ({ stem: one, topic: topicOf(one, language), weight: rarity(one) }))
  const all = weights.reduce((sum, { weight }) => sum + weight, 0)
  const dimension = stem('dimensions', language)
  const figure = asksForFigure(question, language)
  const asked = new Set(questionStems)
  return stemmedFacts
    .map(({ labels, values, ...fact }) => {
      let coveredWeight = 0
      for (const { stem: one, topic, weight } of weights) {
        const measureFit = topic.has(dimension) && MEASURES.test(fact.text) ? TOPIC_LABEL : 0
        coveredWeight += weight * Math.max(measureFit, match(one, topic, labels, values))
      }
      const bonus = figure && coveredWeight > 0 && /\d/.test(fact.text) ? FIGURE : 0
      const isNamed = labels.size > 0 && labels.symmetricDifference(asked).size === 0
      return { ...fact, fit: all === 0 ? 0 : Math.min(1, coveredWeight / all + bonus), isNamed }
    })
    .sort((a, b) => b.fit - a.fit || Number(b.isNamed) - Number(a.isNamed))
}

function match(
  one: string,
  topic: ReadonlySet<string>,
  labels: ReadonlySet<string>,
  values: ReadonlySet<string>,
): number {
  if (labels.has(one)) return LABEL
  if (values.has(one)) return labels.size > 0 ? VALUE : PROSE
  for (const other of topic) if (labels.has(other)) return TOPIC_LABEL
  for (const other of topic) if (values.has(other)) return TOPIC_VALUE
  // "opaque" and "opacity", "caffeine" and "caffeinated".
  for (const other of labels) if (isAkin(one, other)) return AKIN
  for (const other of values) if (isAkin(one, other)) return AKIN
  return 0
}

function stems(text: string, language: string): ReadonlySet<string> {
  const stop = stopWords(language)
  return new Set(
    words(text, language)
      .filter((word) => !stop.has(word))
      .map((word) => stem(word, language)),
  )
}

function isAkin(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  if (shorter < 4) return false
  let same = 0
  while (same < shorter && one[same] === other[same]) same++
  return same >= 4 && same >= shorter * 0.7
}
