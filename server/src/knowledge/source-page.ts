// The page for sources without a URL of their own. A section's name contains a hash of its text, so that it cannot
// be guessed without the link.
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

/** The position in a section's name; the caller must compare the whole name. */
export function sectionOrdinal(name: string): number | null {
  const match = /^s(\d{1,6})-[\w-]{16}$/.exec(name)
  return match ? Number(match[1]) : null
}
