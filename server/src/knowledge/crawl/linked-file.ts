// Files that a site links to and that are read like its pages: PDFs and Word documents.
import { createHash } from 'node:crypto'
import type { ExtractedPage } from '../extract/extract-page.ts'
import { type FileText, LONGEST_TEXT } from '../files/read-file.ts'

const LONGEST_TITLE = 500
const path = /\.(pdf|docx)$/i
const kinds = new Map([
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
])
// What servers say that do not know the kind.
const unknown = /^(application|binary)\/(octet-stream|x-download|force-download)$/

/** Before it is fetched, by its address. */
export function looksLikeFile(url: string): boolean {
  return path.test(new URL(url).pathname)
}

/** The name of the file that was sent, or null when it is a page. */
export function fileName(url: string, contentType: string): string | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  const kind = kinds.get(type)
  if (kind) return path.test(name) ? readableName(name) : `${readableName(name)}.${kind}`
  return unknown.test(type) && path.test(name) ? readableName(name) : null
}

function readableName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** A file as a page that leads nowhere. */
export function filePage({ title, format, content }: FileText): ExtractedPage {
  const kept = content.slice(0, LONGEST_TEXT).toWellFormed()
  const contentHash = createHash('sha256').update(`${title}\n${kept}`).digest('hex')
  const leadsNowhere = { canonical: null, base: null, links: [], noindex: false, nofollow: false }
  return { title: title.slice(0, LONGEST_TITLE).toWellFormed(), format, content: kept, contentHash, ...leadsNowhere }
}
