import type { Hit, Source } from '../types.ts'

export const MAX_SOURCES = 5
// Further pages are cited only if they match nearly as well as the answer's own.
const nearScore = 0.85
const nearStrength = 0.9

/** The answer's sources, one per document: pages it was taken from, then pages about the same. */
export function collectSources(used: readonly Hit[], hits: readonly Hit[], siteUrl: string): Source[] {
  const lead = used[0]
  if (!lead) return []
  const near = hits.filter((hit) => isNear(hit, lead))
  const documents = new Map<string, Source>()
  for (const { passage } of [...used, ...near]) {
    if (documents.size < MAX_SOURCES && !documents.has(passage.documentId)) {
      documents.set(passage.documentId, { title: passage.title, url: sourceUrl(passage.url, passage.anchor, siteUrl) })
    }
  }
  return [...documents.values()]
}

function isNear(hit: Hit, lead: Hit): boolean {
  if (hit.score < lead.score * nearScore || strength(hit) < strength(lead) * nearStrength) return false
  return hit.signals.vector >= lead.signals.vector * nearStrength
}

// Scores are relative to one question's candidates; these signals are comparable across questions.
const strength = ({ signals }: Hit): number => signals.coverage + signals.sentence

function sourceUrl(url: string | null, anchor: string | null, siteUrl: string): string {
  if (url === null) return siteUrl
  return anchor && !url.includes('#') ? `${url}#${anchor}` : url
}
