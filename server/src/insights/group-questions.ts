// Groups questions about the same thing: by meaning if they have vectors, otherwise by shared words.
import { contentStems } from '../language/analyse.ts'

// Minimum cosine similarity to a group's mean, measured on support questions.
const CLOSE_IN_MEANING = 0.5
// Minimum share of common words, weighted by rarity.
const CLOSE_IN_WORDS = 0.4
const COMPARED_AT_ONCE = 50

export interface GroupedQuestion {
  text: string
  count: number
  language: string
  vector?: Float32Array | undefined
}

interface Group<Q> {
  questions: Q[]
  mean: Float32Array | null
  stems: Map<string, number>
}

/** Expects the most frequent first; each joins its closest group. Yields to the event loop in between. */
export async function groupQuestions<Q extends GroupedQuestion>(questions: Q[]): Promise<Q[][]> {
  const stemsOf = questions.map(({ text, language }) => new Set(contentStems(text, language)))
  const weight = weightOf(stemsOf)
  const groups: Group<Q>[] = []
  for (const [index, question] of questions.entries()) {
    if (index % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) await new Promise(setImmediate)
    const stems = stemsOf[index] ?? new Set()
    let best: { group: Group<Q>; closeness: number } | null = null
    for (const group of groups) {
      const closeness = Math.max(inMeaning(question, group) / CLOSE_IN_MEANING, inWords(stems, group) / CLOSE_IN_WORDS)
      if (closeness >= 1 && closeness > (best?.closeness ?? 0)) best = { group, closeness }
    }
    if (best) join(best.group, question, stems)
    else groups.push(join({ questions: [], mean: null, stems: new Map() }, question, stems))
  }
  return groups.map((group) => group.questions)

  function inWords(stems: Set<string>, group: Group<Q>): number {
    let [shared, own] = [0, 0]
    for (const stem of stems) {
      own += weight(stem)
      shared += weight(stem) * ((group.stems.get(stem) ?? 0) / group.questions.length)
    }
    let all = 0
    for (const [stem, holders] of group.stems) all += weight(stem) * (holders / group.questions.length)
    return own + all === 0 ? 0 : (2 * shared) / (own + all)
  }
}

function join<Q extends GroupedQuestion>(group: Group<Q>, question: Q, stems: Set<string>): Group<Q> {
  group.questions.push(question)
  for (const stem of stems) group.stems.set(stem, (group.stems.get(stem) ?? 0) + 1)
  const { vector } = question
  if (vector) {
    group.mean ??= new Float32Array(vector.length)
    for (let at = 0; at < vector.length; at++) group.mean[at] = (group.mean[at] ?? 0) + (vector[at] ?? 0)
  }
  return group
}

function inMeaning({ vector }: GroupedQuestion, { mean }: Group<GroupedQuestion>): number {
  if (!vector || mean?.length !== vector.length) return 0
  let [product, square] = [0, 0]
  for (let at = 0; at < vector.length; at++) {
    product += (vector[at] ?? 0) * (mean[at] ?? 0)
    square += (mean[at] ?? 0) ** 2
  }
  return square === 0 ? 0 : product / Math.sqrt(square)
}

/** Words in many questions say little about any one: "buy" in a shop. */
function weightOf(stemsOf: Set<string>[]): (stem: string) => number {
  const holders = new Map<string, number>()
  for (const stems of stemsOf) for (const stem of stems) holders.set(stem, (holders.get(stem) ?? 0) + 1)
  return (stem) => 1 + Math.log(stemsOf.length / (holders.get(stem) ?? 1))
}
