// The page for sources without a URL of their own. A section's name contains a code of its text, keyed with the
// instance's secret, so that nobody can tell without the link whether a document has a certain text.
import { createHmac, hkdfSync } from 'node:crypto'

interface Section {
  documentId: string
  ordinal: number
  text: string
}

export function sourcePageUrl(widgetBaseUrl: string, botId: string, documentId: string): string {
  return `${widgetBaseUrl}/sources/${botId}/${encodeURIComponent(documentId)}`
}

export type NameSection = (section: Section) => string

export function makeNameSection(secretKey: string): NameSection {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'docent section names', 32))
  return ({ documentId, ordinal, text }) => {
    const code = createHmac('sha256', key).update(`${documentId}\n${text}`).digest('base64url')
    return `s${ordinal}-${code.slice(0, 16)}`
  }
}

/** The position in a section's name; the caller must compare the whole name. */
export function sectionOrdinal(name: string): number | null {
  const match = /^s(\d{1,6})-[\w-]{16}$/.exec(name)
  return match ? Number(match[1]) : null
}
