// Reads a file's text by its content and name. Runs in a thread.

import { readTable } from '../csv.ts'
import { decodeText } from '../extraction/decode-text.ts'
import { type ParseLimits, UnreadableFile } from '../extraction/parse-limits.ts'
import type { Export } from './read-export.ts'
import { readPdf } from './read-pdf.ts'
import { listZipEntries } from './read-zip.ts'

export interface FileText {
  kind: 'pdf' | 'docx' | 'html' | 'markdown' | 'text' | 'csv' | Export['kind']
  /** The document's own, or made from its file name. */
  title: string
  format: 'html' | 'markdown' | 'text'
  content: string
  /** For exports, which become one document per page and have no content of their own. */
  export?: Export
}

export const LONGEST_TEXT = 2_000_000
const ZIP = Buffer.from('504b0304', 'hex')
const OLD_OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const READABLE = 'This file type is not supported. Use PDF, DOCX, HTML, Markdown, text, CSV or an export.'

export async function readFile(name: string, bytes: Buffer, limits: ParseLimits): Promise<FileText> {
  const text = await read(name, bytes, limits)
  if (text.export) return text
  if (!/[\p{L}\p{N}]/u.test(text.content)) throw new UnreadableFile('This file contains no text.')
  // One character over the limit shows that it is too long.
  return { ...text, content: text.content.slice(0, LONGEST_TEXT + 1) }
}

async function read(name: string, bytes: Buffer, limits: ParseLimits): Promise<FileText> {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const title = titleOf(name)
  if (bytes.length === 0) throw new UnreadableFile('This file is empty.')
  const isPdf = bytes.subarray(0, 5).toString('latin1') === '%PDF-'
  // Some programs write a line before the header.
  if (isPdf || (extension === 'pdf' && bytes.subarray(0, 1024).includes('%PDF-')))
    return { kind: 'pdf', title, format: 'markdown', content: await readPdf(bytes) }
  if (bytes.subarray(0, 4).equals(ZIP) && extension !== 'docx' && !isOffice(bytes)) {
    const { readArchive } = await import('./read-export.ts')
    return toFileText(title, await readArchive(bytes, limits))
  }
  if (bytes.subarray(0, 4).equals(ZIP)) {
    const { readDocx } = await import('./read-docx.ts')
    return { kind: 'docx', title, format: 'html', content: readDocx(bytes, limits) }
  }
  if (bytes.subarray(0, 8).equals(OLD_OFFICE))
    throw new UnreadableFile('This Office format is too old. Save the file as .docx, .pdf or .csv.')
  if (extension === 'pdf') throw new UnreadableFile('This file is not a valid PDF.')
  if (extension === 'docx') throw new UnreadableFile('This file is not a valid Word document.')
  if (['html', 'htm', 'xhtml'].includes(extension)) {
    const { extractPage } = await import('../extraction/extract-page.ts')
    const page = extractPage(bytes, 'text/html', limits)
    return { kind: 'html', title: page.title || title, format: 'html', content: page.content }
  }
  if (extension === 'json') {
    const { readArticles } = await import('./read-export.ts')
    return toFileText(title, readArticles(name, bytes))
  }
  const isTable = ['csv', 'tsv'].includes(extension)
  const text = decodeText(bytes, '', isTable ? undefined : LONGEST_TEXT + 2).replace(/^\uFEFF/, '')
  if (text.includes('\0')) throw new UnreadableFile(READABLE)
  if (isTable) return { kind: 'csv', title, format: 'markdown', content: await readTable(text) }
  if (['md', 'markdown', 'mdx'].includes(extension))
    return {
      kind: 'markdown',
      title: /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? title,
      format: 'markdown',
      content: text,
    }
  if (['txt', 'text', ''].includes(extension)) return { kind: 'text', title, format: 'text', content: text }
  throw new UnreadableFile(READABLE)
}

function toFileText(title: string, read: Export): FileText {
  return { kind: read.kind, title, format: 'text', content: '', export: read }
}

function isOffice(bytes: Buffer): boolean {
  return listZipEntries(bytes).some(({ name }) => name === '[Content_Types].xml' || name === 'word/document.xml')
}

/** "returns-and_refunds.pdf" → "returns and refunds". */
function titleOf(name: string): string {
  return name
    .replace(/\.[^.]+$/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
}
