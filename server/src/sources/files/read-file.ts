// Reads a file's text by its content and name. Runs in a thread.

import { decodeText } from '../extraction/decode-text.ts'
import { LONGEST_TEXT, type ParseLimits, UnreadableFile } from '../extraction/parse-limits.ts'
import { type OfficeArchive, openOfficeArchive } from './office-archive.ts'
import type { Export } from './read-export.ts'
import { readPdf } from './read-pdf.ts'
import { readCsvTable } from './table-text.ts'
import { invalidFile, unsupportedArchive, unsupportedContent, unsupportedType } from './unsupported-file.ts'

export interface FileText {
  kind: 'pdf' | OfficeKind | 'html' | 'markdown' | 'text' | 'csv' | Export['kind']
  /** The document's own, or made from its file name. */
  title: string
  format: 'html' | 'markdown' | 'text'
  content: string
  /** For exports, which become one document per page and have no content of their own. */
  export?: Export
}

type OfficeKind = 'docx' | 'xlsx' | 'pptx' | 'odt'

const ZIP = Buffer.from('504b0304', 'hex')

export async function readFile(name: string, bytes: Buffer, limits: ParseLimits): Promise<FileText> {
  const text = await read(name, bytes, limits)
  if (text.export) return text
  if (!/[\p{L}\p{N}]/u.test(text.content)) throw new UnreadableFile('This file contains no text.', 'no_text')
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
  if (bytes.subarray(0, 4).equals(ZIP)) return readZipFile(title, extension, bytes, limits)
  const problem = unsupportedContent(bytes) ?? invalidFile(extension)
  if (problem) throw problem
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
  if (text.includes('\0')) throw unsupportedType(['txt', 'text'].includes(extension) ? '' : extension)
  if (isTable) return { kind: 'csv', title, format: 'markdown', content: await readCsvTable(text) }
  if (['md', 'markdown', 'mdx'].includes(extension))
    return {
      kind: 'markdown',
      title: /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? title,
      format: 'markdown',
      content: text,
    }
  if (['txt', 'text', ''].includes(extension)) return { kind: 'text', title, format: 'text', content: text }
  throw unsupportedType(extension)
}

function toFileText(title: string, parsedExport: Export): FileText {
  return { kind: parsedExport.kind, title, format: 'text', content: '', export: parsedExport }
}

async function readZipFile(title: string, extension: string, bytes: Buffer, limits: ParseLimits): Promise<FileText> {
  const archive = openOfficeArchive(bytes, limits)
  const mimeType = archive.part('mimetype')?.trim() ?? ''
  const kind = officeKind(archive, mimeType)
  if (kind) {
    const format = kind === 'xlsx' ? 'markdown' : 'html'
    return { kind, title, format, content: await readOffice(kind, archive) }
  }
  const problem = unsupportedArchive(extension, mimeType, archive.has)
  if (problem) throw problem
  const { readArchive } = await import('./read-export.ts')
  return toFileText(title, await readArchive(bytes, limits))
}

async function readOffice(kind: OfficeKind, archive: OfficeArchive): Promise<string> {
  if (kind === 'docx') return (await import('./read-docx.ts')).readWordArchive(archive)
  if (kind === 'xlsx') return (await import('./read-xlsx.ts')).readXlsx(archive)
  if (kind === 'pptx') return (await import('./read-pptx.ts')).readPptx(archive)
  return (await import('./read-odt.ts')).readOdt(archive)
}

/** By the type that the archive states for its main part, whatever the part is called. */
function officeKind({ part, has }: OfficeArchive, mimeType: string): OfficeKind | null {
  if (/opendocument\.text(-template)?$/.test(mimeType)) return 'odt'
  const types = part('[Content_Types].xml') ?? ''
  const states = (application: string) => new RegExp(`${application}[\\w.]*\\.main\\+xml`, 'i').test(types)
  if (states('(wordprocessingml|ms-word)') || has('word/document.xml')) return 'docx'
  if (states('(spreadsheetml|ms-excel)') || has('xl/workbook.xml')) return has('xl/workbook.bin') ? null : 'xlsx'
  return states('(presentationml|ms-powerpoint)') || has('ppt/presentation.xml') ? 'pptx' : null
}

/** "returns-and_refunds.pdf" → "returns and refunds". */
function titleOf(name: string): string {
  return name
    .replace(/\.[^.]+$/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
}
