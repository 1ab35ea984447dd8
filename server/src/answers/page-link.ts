import type { Passage } from './types.ts'

/** A page's title, linked if it has a URL. */
export function pageLink({ title, url }: Pick<Passage, 'title' | 'url'>): string {
  return url ? `[${title.replace(/[[\]]/g, '')}](${url})` : `“${title}”`
}
