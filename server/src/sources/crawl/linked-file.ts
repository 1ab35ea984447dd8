// Files that a site links to, read like its pages. Servers often send a wrong content type or none for them: then the
// name decides, and the reader checks the content.
import { createHash } from 'node:crypto'
import type { ExtractedPage } from '../extraction/extract-page.ts'
import { LONGEST_TEXT } from '../extraction/parse-limits.ts'
import type { FileText } from '../files/read-file.ts'

// The limit of documents.
const LONGEST_TITLE = 500

const NAMED = /\.(pdf|docx|xlsx|pptx|odt)$/i
const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const extensions = new Map([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  [`${OPEN_XML}.wordprocessingml.document`, 'docx'],
  [`${OPEN_XML}.wordprocessingml.template`, 'docx'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  [`${OPEN_XML}.spreadsheetml.sheet`, 'xlsx'],
  [`${OPEN_XML}.spreadsheetml.template`, 'xlsx'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsx'],
  [`${OPEN_XML}.presentationml.presentation`, 'pptx'],
  [`${OPEN_XML}.presentationml.slideshow`, 'pptx'],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
])
const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/

type Headers = Record<string, string>

/** The file name of a response, or null for a page. */
export function linkedFileName(url: string, headers: Headers): string | null {
  const type = mediaType(headers)
  // A server's own page at the address of a file, such as a viewer or a log-in.
  if (PAGE_TYPE.test(type)) return null
  const inUrl = decode(new URL(url).pathname.split('/').at(-1) ?? '')
  const name = [inUrl, attachmentName(headers)].find((text) => NAMED.test(text))
  if (name) return name
  const extension = extensions.get(type)
  return extension ? `${inUrl}.${extension}` : null
}

export function isXml(headers: Headers): boolean {
  return /^(text|application)\/(?!xhtml\+)([\w.-]+\+)?xml$/.test(mediaType(headers))
}

/** A file as a page without links. */
export function filePage({ title, format, content }: FileText): ExtractedPage {
  const text = content.slice(0, LONGEST_TEXT).toWellFormed()
  const contentHash = createHash('sha256').update(`${title}\n${text}`).digest('hex')
  const leadsNowhere = { canonical: null, base: null, links: [], noindex: false, nofollow: false, needsScripts: false }
  return { title: title.slice(0, LONGEST_TITLE).toWellFormed(), format, content: text, contentHash, ...leadsNowhere }
}

function mediaType(headers: Headers): string {
  return headers['content-type']?.split(/[;,]/)[0]?.trim().toLowerCase() ?? ''
}

/** From `attachment; filename="price list.pdf"` or `filename*=UTF-8''price%20list.pdf`. */
function attachmentName(headers: Headers): string {
  const disposition = headers['content-disposition']?.slice(0, 1000) ?? ''
  const encodedName = /;\s*filename\*\s*=\s*[\w-]*'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition)
  return encodedName === undefined ? (plain?.[1] ?? plain?.[2] ?? '') : decode(encodedName)
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
