// PDF and Word files that a site links to, read like its pages.
import { createHash } from 'node:crypto'
import type { ExtractedPage } from '../extraction/extract-page.ts'
import { type FileText, LONGEST_TEXT } from '../files/read-file.ts'

const LONGEST_TITLE = 500
const path = /\.(pdf|docx)$/i
const kinds = new Map([
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
])
// Content types of servers that do not know the file's type.
const unknown = /^(application|binary)\/(octet-stream|x-download|force-download)$/

/** By its URL, before it is fetched. */
export function looksLikeFile(url: string): boolean {
  return path.test(new URL(url).pathname)
}

/** The file name of a response, or null for a page. */
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

/** A file as a page without links. */
export function filePage({ title, format, content }: FileText): ExtractedPage {
  const kept = content.slice(0, LONGEST_TEXT).toWellFormed()
  const contentHash = createHash('sha256').update(`${title}\n${kept}`).digest('hex')
  const leadsNowhere = { canonical: null, base: null, links: [], noindex: false, nofollow: false }
  return { title: title.slice(0, LONGEST_TITLE).toWellFormed(), format, content: kept, contentHash, ...leadsNowhere }
}
