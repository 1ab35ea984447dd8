// Matches the passages of a changed document to its earlier ones, so that what people did with a passage stays with it
// when its page is crawled again.
import { createHash } from 'node:crypto'

interface Content {
  headings: string[]
  text: string
}

export interface KnownPassage extends Content {
  id: string
  /** Somebody corrected or excluded it, so it is worth a search by similarity. */
  isEdited: boolean
}

// Share of common words from which a text is the same passage, rewritten: under another heading, and in the same section.
const SIMILAR = 0.5
const SIMILAR_IN_SECTION = 0.2
// Comparing is quadratic; a page has few edited passages and few changed ones.
const MAX_COMPARED = 200

/** The id of a passage that is not known from before. */
export function derivePassageId({ headings, text }: Content): string {
  return `psg_${createHash('sha256').update(contentKey({ headings, text })).digest('hex').slice(0, 24)}`
}

/** The ids of `passages`, in their order. Those without a predecessor get new ones. */
export function matchPassages(knownPassages: readonly KnownPassage[], passages: readonly Content[]): string[] {
  const ids: (string | undefined)[] = passages.map(() => undefined)
  const unmatchedPassages = new Map(knownPassages.map((passage) => [passage.id, passage]))

  function assign(at: number, { id }: KnownPassage) {
    ids[at] = id
    unmatchedPassages.delete(id)
  }
  /** Edited passages choose first. */
  const waiting = () => [...unmatchedPassages.values()].sort((a, b) => Number(b.isEdited) - Number(a.isEdited))
  /** Whether a section had one passage and still has: then it is the same, however different. */
  const isOnlyOne = (before: KnownPassage) => {
    const isOfSection = (passage: Content) => headingKey(passage) === headingKey(before)
    return (
      before.headings.length > 0 &&
      knownPassages.filter(isOfSection).length === 1 &&
      passages.filter(isOfSection).length === 1
    )
  }
  const free = () => passages.flatMap((passage, at) => (ids[at] === undefined ? [{ passage, at }] : []))

  for (const keyOf of [contentKey, ({ text }: Content) => text]) {
    if (unmatchedPassages.size === 0) break
    const places = Map.groupBy(free(), ({ passage }) => keyOf(passage))
    for (const before of waiting()) {
      const place = places.get(keyOf(before))?.shift()
      if (place) assign(place.at, before)
    }
  }
  for (const before of waiting().filter(({ isEdited }) => isEdited)) {
    const place = nearest(before, free(), isOnlyOne(before))
    if (place) assign(place.at, before)
  }
  if (unmatchedPassages.size > 0) {
    const places = Map.groupBy(free(), ({ passage }) => headingKey(passage))
    // What somebody did with a passage must not pass to another one.
    for (const before of waiting().filter(({ isEdited }) => !isEdited)) {
      const place = places.get(headingKey(before))?.shift()
      if (place) assign(place.at, before)
    }
  }
  return withNewIds(ids, passages, unmatchedPassages)
}

/** The most similar passage of the same section, else a similar one anywhere. */
function nearest(before: Content, places: { passage: Content; at: number }[], isOnlyOne: boolean) {
  const words = wordsOf(before.text)
  let best: { at: number; score: number } | undefined
  for (const { passage, at } of places.slice(0, MAX_COMPARED)) {
    const similarity = sharedWords(words, wordsOf(passage.text))
    const isSection = headingKey(passage) === headingKey(before)
    const isSame = similarity >= (isSection ? SIMILAR_IN_SECTION : SIMILAR) || (isSection && isOnlyOne)
    const score = isSection ? 1 + similarity : similarity
    if (isSame && score > (best?.score ?? 0)) best = { at, score }
  }
  return best
}

/** A derived id may be taken: by the same text elsewhere on the page, or by a passage that once had this text. */
function withNewIds(
  ids: (string | undefined)[],
  passages: readonly Content[],
  unmatchedPassages: ReadonlyMap<string, KnownPassage>,
): string[] {
  const takenIds = new Set([...ids.filter((id) => id !== undefined), ...unmatchedPassages.keys()])
  return passages.map((passage, at) => {
    const matchedId = ids[at]
    if (matchedId !== undefined) return matchedId
    const derivedId = derivePassageId(passage)
    let id = derivedId
    for (let copy = 2; takenIds.has(id); copy++) id = `${derivedId}-${copy}`
    takenIds.add(id)
    return id
  })
}

function contentKey({ headings, text }: Content): string {
  return `${headingKey({ headings })}\n${text}`
}

function headingKey({ headings }: Pick<Content, 'headings'>): string {
  return JSON.stringify(headings)
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}

function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let sharedCount = 0
  for (const word of a) if (b.has(word)) sharedCount++
  return sharedCount === 0 ? 0 : sharedCount / (a.size + b.size - sharedCount)
}
