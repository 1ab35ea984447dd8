// Products that a question names, fully or in part.

import { stopWords } from '../../language/languages.ts'
import { stem } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import type { Catalogue, Criterion, ProductHit } from '../product.ts'
import type { ProductQuestion } from '../question/parse-product-question.ts'
import { COMPARED_PATTERN, topicOf } from '../question/shop-words.ts'
import { coverageOf } from './find-products.ts'

export interface NamedProduct {
  hit: ProductHit
  /** 0 to 1: share of the title that was mentioned, weighted by rarity. */
  share: number
  /** The name follows an article, is written like a name, or begins the question. */
  isDefinite: boolean
  /** Other products match as well. */
  hasRivals: boolean
  /** Share of the question's words that the product has. */
  coverage: number
}

// A word is a name if most of its products have it in the title; other words are descriptive.
const NAME = 0.5
const RARE = 0.5
// This share of a title counts as all of it.
const MOSTLY = 0.6
const SAME_SHARE = 0.06
const HALF_NAMED = 20
const ARTICLE = /(?:\b(?:the|der|die|das|den|dem|des|le|la|les|el|il|lo|de|het)\s+|^\W*)$/i

interface NameMatch extends Omit<NamedProduct, 'hasRivals'> {
  name: string
  times: number
}

/** Most fully named first. */
export function findNamed(
  question: ProductQuestion,
  catalogue: Catalogue,
  hits: readonly ProductHit[],
): NamedProduct[] {
  const termKeys = new Set(question.terms.flatMap(({ anyOf }) => anyOf.slice(0, 1).map(({ key }) => key)))
  for (const { value } of question.facets) for (const word of words(value)) termKeys.add(stem(word, catalogue.language))
  const matches = hits.flatMap((hit) => matchName(hit, termKeys, question, catalogue) ?? [])
  const byName = Map.groupBy(matches, ({ name }) => name)
  return [...byName.values()].flatMap(pickBestMatches).sort((a, b) => b.share - a.share)
}

function matchName(
  hit: ProductHit,
  questionTerms: ReadonlySet<string>,
  question: ProductQuestion,
  catalogue: Catalogue,
): NameMatch | null {
  const title = hit.title.map((term) => ({ term, weight: catalogue.rarity(term) ?? 1 }))
  const sum = (all: typeof title) => all.reduce((total, { weight }) => total + weight, 0)
  const share = sum(title.filter(({ term }) => questionTerms.has(term))) / sum(title)
  const name = nameOf(title, share, catalogue)
  if (!name || !questionTerms.has(name)) return null
  const mentions = findMentions(name, question)
  // "The weather" is not the Wether beanie: a misspelt name needs more of the title.
  const isMisspelt = question.terms.some(({ anyOf }) => anyOf[0]?.key === name && anyOf[0].weight < 1)
  if (isMisspelt && share < MOSTLY) return null
  // "A silk scarf" is not the silk liner: the word after the name must belong to the product too.
  const isMeant = ({ next, isDefinite }: Mention) => {
    const follower = question.terms.findIndex(({ surface }) => surface === next)
    // A washing machine is not the detergent for it.
    const wantsKind = follower === question.head && question.says.shopping && !isDefinite
    const metBits = wantsKind ? hit.metHead : hit.met
    if (follower < 0 || (metBits & (1 << follower)) !== 0) return true
    if (wantsKind) return false
    const isAsked = topicOf(question.terms[follower]?.term ?? '', catalogue.language).size > 0
    return isAsked || (isDefinite && follower !== question.head)
  }
  if (share < 1 && mentions.length > 0 && !mentions.some(isMeant)) return null
  return {
    hit,
    share,
    coverage: coverageOf(hit, question),
    name,
    times: Math.max(1, mentions.length),
    isDefinite: mentions.some(({ isDefinite }) => isDefinite),
  }
}

/** The first word that is a name; if there is none, the rarest, with much of the title required. */
function nameOf(title: { term: string; weight: number }[], share: number, catalogue: Catalogue): string | undefined {
  const isName = ({ term, weight }: { term: string; weight: number }) =>
    /\p{L}{2}/u.test(term) && weight >= RARE && catalogue.nameShare(term) >= NAME
  // The last word is the kind: asking for watches does not mean the Endurance Watch.
  const front = title.slice(0, -1)
  const name = front.find(isName)
  if (name || share < MOSTLY) return name?.term
  return (share === 1 ? title : front).toSorted((a, b) => b.weight - a.weight)[0]?.term
}

interface Mention {
  next: string
  isDefinite: boolean
}

/** Where a question mentions a word, and what follows it. */
function findMentions(term: string, { text, terms }: ProductQuestion): Mention[] {
  const surface = terms.find(({ anyOf }) => anyOf[0]?.key === term)?.surface
  if (!surface) return []
  const pattern = new RegExp(String.raw`(?<!\p{L})${surface.replace(/\W/g, '.')}(?!\p{L})`, 'giu')
  return [...text.matchAll(pattern)].map((match) => {
    const behind = text.slice(match.index + match[0].length)
    const before = text.slice(0, match.index)
    return {
      next: (/^\s+([\p{L}\p{N}]+)/u.exec(behind)?.[1] ?? '').toLowerCase(),
      isDefinite: ARTICLE.test(before) || /^\p{Lu}/u.test(match[0]),
    }
  })
}

/** Per name, the fullest match, or as many as the name was mentioned; others that match as fully are rivals. */
function pickBestMatches(matches: NameMatch[]): NamedProduct[] {
  const byShare = [...matches].sort((a, b) => b.share - a.share || a.hit.title.length - b.hit.title.length)
  const times = byShare[0]?.times ?? 1
  const last = byShare[times - 1]?.share ?? 0
  const fits = byShare.filter(({ share }, index) => index < times || (share < 1 && share > last - SAME_SHARE))
  return fits.map(({ name: _, times: __, ...one }) => ({ ...one, hasRivals: fits.length > times }))
}

/** Two products of a kind compared by half their names: "rain or fleece jacket?". Empty unless both are clear. */
export function findHalfNamed(question: ProductQuestion, language: string, catalogue: Catalogue): string[] {
  const { says, facets, minPrice, maxPrice, text, terms, vocabulary } = question
  if (!(says.either || says.compares) || says.shopping) return []
  if (facets.length > 0 || minPrice !== undefined || maxPrice !== undefined) return []
  const all = words(text, language)
  const isName = (word: string) =>
    !vocabulary.isFiller(word) && !stopWords(language).has(word) && !COMPARED_PATTERN.test(word)
  // "Fleece jacket or rain jacket" and "fleece or rain jacket" end with the kind.
  const last = all.findLast(isName)
  const kind = terms.find(({ surface }) => surface === last)
  if (!kind) return []
  const isHalf = (word: string) => isName(word) && word !== last
  const between = all.findLastIndex((word) => COMPARED_PATTERN.test(word))
  const halves = [all.slice(0, Math.max(0, between)).findLast(isHalf), all.slice(between + 1).find(isHalf)]
  const ids = halves.flatMap((half) => findByHalf(half, kind, catalogue))
  return new Set(ids).size === halves.length ? ids : []
}

/** The product of a kind with this word in its title; of several, the one with the shortest title. */
function findByHalf(word: string | undefined, kind: Criterion, catalogue: Catalogue): string[] {
  if (!word) return []
  const half = stem(word, catalogue.language)
  const criteria = [{ anyOf: [{ key: half, weight: 1 }], strong: true }, { anyOf: kind.anyOf }]
  const [first, second] = catalogue
    .search({ criteria, required: 0b11, requiredHead: 0b10, sort: 'relevance', limit: HALF_NAMED })
    .filter(({ title }) => title.includes(half))
    .sort((a, b) => a.title.length - b.title.length)
  return first && first.title.length !== second?.title.length ? [first.id] : []
}
