// The products that a question calls by their names.

import { stem } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import type { ProductQuestion } from './read-product-question.ts'
import type { Catalogue, ProductHit } from './types.ts'

// So much of a title, by how rare its words are, is as good as all of it.
const NAMED = 0.6
const article = /(?:\b(?:the|der|die|das|den|dem|des|le|la|les|el|il|lo|de|het)\s+|^)$/i

export function findNamed(question: ProductQuestion, catalogue: Catalogue, hits: readonly ProductHit[]): ProductHit[] {
  const { terms, facets } = question
  if (terms.length === 0) return []
  const said = new Set(terms.flatMap(({ anyOf }) => anyOf.slice(0, 1).map(({ key }) => key)))
  for (const { value } of facets) for (const word of words(value)) said.add(stem(word, catalogue.language))
  const shares = hits.map((hit) => ({ hit, share: titleShare(hit, said, question, catalogue) }))
  const named = shares.filter(({ share }) => share >= NAMED).sort((a, b) => b.share - a.share)
  return distinct(named.map(({ hit }) => hit))
}

function titleShare({ title }: ProductHit, said: ReadonlySet<string>, question: ProductQuestion, catalogue: Catalogue) {
  const weights = title.map((term) => ({ term, weight: catalogue.rarity(term) ?? 1 }))
  const [rarest] = [...weights].sort((a, b) => b.weight - a.weight)
  if (!rarest || !said.has(rarest.term)) return 0
  const all = weights.reduce((sum, { weight }) => sum + weight, 0)
  const held = weights.reduce((sum, { term, weight }) => sum + (said.has(term) ? weight : 0), 0)
  const share = held / all
  // The last word says what it is: who asks for watches does not mean the Endurance Watch.
  if (share < 1 && !title.slice(0, -1).some((term) => said.has(term))) return 0
  // "the Wisp" is a name, "a silk scarf" is not one of the silk liner.
  const first = title[0]
  if (share < NAMED && first && rarest.weight === catalogue.rarity(first) && said.has(first)) {
    return calledByFirstWord(first, question, catalogue.language) ? NAMED : share
  }
  return share
}

function calledByFirstWord(first: string, { text, terms }: ProductQuestion, language: string): boolean {
  const surface = terms.find(({ term }) => term === first)?.surface
  if (!surface) return false
  const match = new RegExp(String.raw`(?<![\p{L}])${surface}(?![\p{L}])`, 'iu').exec(text)
  if (!match || stem(match[0].toLowerCase(), language) !== first) return false
  return article.test(text.slice(0, match.index)) || (match.index > 0 && /^\p{Lu}/u.test(match[0]))
}

/** Of products whose names are all said, one whose name is part of another's is not meant. */
function distinct(hits: ProductHit[]): ProductHit[] {
  return hits.filter(
    (hit) =>
      !hits.some(
        (other) =>
          other !== hit &&
          other.title.length > hit.title.length &&
          hit.title.every((term) => other.title.includes(term)),
      ),
  )
}
