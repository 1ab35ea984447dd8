import type { Hit, Source } from '../types.ts'

export const MAX_SOURCES = 5

/** The pages an answer was taken from, one entry per document. */
export function collectSources(used: readonly Hit[], siteUrl: string): Source[] {
  const documents = new Map<string, Source>()
  for (const { passage } of used) {
    if (documents.size < MAX_SOURCES && !documents.has(passage.documentId)) {
      documents.set(passage.documentId, { title: passage.title, url: sourceUrl(passage.url, passage.anchor, siteUrl) })
    }
  }
  return [...documents.values()]
}

function sourceUrl(url: string | null, anchor: string | null, siteUrl: string): string {
  if (url === null) return siteUrl
  return anchor && !url.includes('#') ? `${url}#${anchor}` : url
}
