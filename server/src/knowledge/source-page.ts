// The reading page of a source that has no page of its own. A section's name has a hash of its text in it: who was not
// given the link cannot read the rest of a file section by section.
import { createHash } from 'node:crypto'

export interface Section {
  documentId: string
  ordinal: number
  text: string
}

export function sourcePageUrl(widgetBaseUrl: string, botId: string, documentId: string): string {
  return `${widgetBaseUrl}/sources/${botId}/${encodeURIComponent(documentId)}`
}

export function sectionName({ documentId, ordinal, text }: Section): string {
  const hash = createHash('sha256').update(`${documentId}\n${text}`).digest('base64url')
  return `s${ordinal}-${hash.slice(0, 16)}`
}

/** Which passage a section's name speaks of; the name itself is to be compared. */
export function sectionOrdinal(name: string): number | null {
  const match = /^s(\d{1,6})-[\w-]{16}$/.exec(name)
  return match ? Number(match[1]) : null
}
