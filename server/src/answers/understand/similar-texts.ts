// Ranks short texts by the words that they share with a question, rare words first.
import { contentStems } from '../../language/analyse.ts'

interface Similarity {
  /** Share of the question's weight that the text has, 0 to 1. */
  coverage: number
  /** Likewise of both: 1 if they have the same words. */
  overlap: number
}

const READ_AT_ONCE = 200

/** One per text, in order. Yields to the event loop in between. */
export async function compareTexts(
  question: string,
  texts: readonly string[],
  language: string,
): Promise<Similarity[]> {
  const questionStems = new Set(contentStems(question, language))
  const stems: Set<string>[] = []
  for (const text of texts) {
    if (stems.length % READ_AT_ONCE === READ_AT_ONCE - 1) await new Promise(setImmediate)
    stems.push(new Set(contentStems(text, language)))
  }
  const counts = new Map<string, number>()
  for (const each of stems) for (const stem of each) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const weight = (stem: string) => Math.log(1 + texts.length / (counts.get(stem) ?? 0.5))
  const total = (some: Iterable<string>) => [...some].reduce((sum, stem) => sum + weight(stem), 0)
  const askedWeight = total(questionStems)
  return stems.map((each) => {
    const sharedWeight = total(questionStems.intersection(each))
    if (sharedWeight === 0) return { coverage: 0, overlap: 0 }
    return { coverage: sharedWeight / askedWeight, overlap: (2 * sharedWeight) / (askedWeight + total(each)) }
  })
}
