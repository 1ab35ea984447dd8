// What a language model is given to answer from: the best passages with their neighbours on the same page, and curated
// answers that are close. Only what may help: more would cost and distract.
import type { ModelPassage } from './language-model/types.ts'
import { policy } from './policy.ts'
import type { CuratedMatch, Hit, Knowledge, Passage } from './types.ts'

const ALWAYS_KEPT = 3
const MAX_CURATED = 3

export interface ContextPassage extends ModelPassage {
  /** Undefined for a curated answer. */
  passage?: Passage
  /** The link of a curated answer. */
  source?: { title: string; url: string }
}

/** Best first, so that a small budget cuts the least useful. */
export async function collectPassages(
  hits: readonly Hit[],
  curatedMatches: readonly CuratedMatch[],
  knowledge: Pick<Knowledge, 'loadAround' | 'loadCurated'>,
): Promise<ContextPassage[]> {
  const best = hits[0]?.score ?? 0
  const likely = hits
    .slice(0, policy.modelPassages)
    .filter(({ score }, place) => place < ALWAYS_KEPT || score >= best * policy.modelPassageShare)
    .map(({ passage }) => passage)
  const around = await Promise.all(likely.slice(0, policy.modelNeighbours).map((one) => knowledge.loadAround(one)))
  const passages = new Map([...likely, ...around.flat()].map((passage) => [passage.id, passage]))
  return [...(await closeCurated(curatedMatches, knowledge)), ...[...passages.values()].map(toContext)]
}

async function closeCurated(
  matches: readonly CuratedMatch[],
  knowledge: Pick<Knowledge, 'loadCurated'>,
): Promise<ContextPassage[]> {
  const close = matches.filter(({ score }) => score >= policy.modelCurated).slice(0, MAX_CURATED)
  const answers = await Promise.all(close.map(({ id }) => knowledge.loadCurated(id)))
  return answers.flatMap((one) => {
    if (!one) return []
    const { question, answer, url } = one
    return [{ title: question, text: answer, url, ...(url ? { source: { title: question, url } } : {}) }]
  })
}

function toContext(passage: Passage): ContextPassage {
  const { title, headings, text, url, updatedAt } = passage
  const date = updatedAt === undefined ? undefined : new Date(updatedAt).toISOString().slice(0, 10)
  return {
    title: [...new Set([title, ...headings])].join(' › '),
    text,
    url,
    passage,
    ...(date ? { date } : {}),
  }
}
