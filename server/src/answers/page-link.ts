import type { Passage } from './types.ts'

/** A page by its title, as a link where it has an address. */
export function pageLink({ title, url }: Pick<Passage, 'title' | 'url'>): string {
  return url ? `[${title.replace(/[[\]]/g, '')}](${url})` : `“${title}”`
}
