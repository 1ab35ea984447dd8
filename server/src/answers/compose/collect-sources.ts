import type { Hit, Source } from '../types.ts'

export const MOST_SOURCES = 5
// A further page is named only when it speaks to the question nearly as well as the one the answer is from.
const nearScore = 0.85
const nearStrength = 0.9

/** The pages of an answer: those it was taken from first, then pages that speak of the same; one per document. */
export function collectSources(used: readonly Hit[], hits: readonly Hit[], siteUrl: string): Source[] {
  const lead = used[0]
  if (!lead) return []
  const near = hits.filter((hit) => isNear(hit, lead))
  const documents = new Map<string, Source>()
  for (const { passage } of [...used, ...near]) {
    if (documents.size < MOST_SOURCES && !documents.has(passage.documentId)) {
      documents.set(passage.documentId, { title: passage.title, url: sourceUrl(passage.url, passage.anchor, siteUrl) })
    }
  }
  return [...documents.values()]
}

function isNear(hit: Hit, lead: Hit): boolean {
  if (hit.score < lead.score * nearScore || strength(hit) < strength(lead) * nearStrength) return false
  return hit.signals.vector >= lead.signals.vector * nearStrength
}

// Scores are stretched over the candidates of one question; these signals mean the same in every question.
const strength = ({ signals }: Hit): number => signals.coverage + signals.sentence

function sourceUrl(url: string | null, anchor: string | null, siteUrl: string): string {
  if (url === null) return siteUrl
  return anchor && !url.includes('#') ? `${url}#${anchor}` : url
}
