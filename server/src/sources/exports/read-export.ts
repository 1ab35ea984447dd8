// Reads exports of Notion, Confluence and Zendesk. Nothing is written to disk, so paths cannot escape; one size
// limit covers all unpacked files together.
import type { ParseLimits } from '../extraction/parse-limits.ts'
import { listZipEntries, unpackEntry, type ZipEntry } from '../files/read-zip.ts'
import { UnreadableFile } from '../files/unreadable-file.ts'
import { isConfluencePage, readConfluencePage } from './confluence.ts'
import type { ExportFile, ExportPage, ExportProblem } from './export-page.ts'
import { isNotionPath, isSecondTable, readNotionPage } from './notion.ts'
import { readZendeskArticles } from './zendesk.ts'

const MAX_PAGES = 5000
const LONGEST_PAGE = 2_000_000
const LONGEST_TITLE = 500
const PROBLEMS_TOLD = 100

export interface Export {
  kind: 'notion' | 'confluence' | 'zendesk'
  pages: ExportPage[]
  problems: ExportProblem[]
}

export async function readArchive(zip: Buffer, limits: ParseLimits): Promise<Export> {
  const problems: ExportProblem[] = []
  const entries = readableEntries(listZipEntries(zip), problems)
  const files = unpackAll(zip, entries, limits.maxBytes, problems)
  const { kind, read } = readerOf(files, limits, problems)
  const pages: ExportPage[] = []
  for (const file of files) {
    try {
      pages.push(...(await read(file)))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      problems.push({ name: file.path, message: error.message })
    }
  }
  return toExport(kind, pages, problems)
}

export function readArticles(name: string, bytes: Buffer): Export {
  const problems: ExportProblem[] = []
  return toExport('zendesk', readZendeskArticles({ path: name, bytes }, problems), problems)
}

function readableEntries(entries: ZipEntry[], problems: ExportProblem[]): ZipEntry[] {
  const wanted = entries.filter((entry) => {
    const { name } = entry
    if (/(^|\/)(__MACOSX\/|\.)/.test(name) && !isUnsafe(name)) return false
    const message = problemOf(entry)
    if (message) problems.push({ name: name.slice(0, 300), message })
    return !message && /\.(md|html?|csv|json)$/i.test(name)
  })
  if (wanted.length > MAX_PAGES)
    throw new UnreadableFile(`This archive has more than ${MAX_PAGES} pages. Export it in parts.`)
  return wanted
}

function problemOf({ name, isEncrypted }: ZipEntry): string | null {
  if (isUnsafe(name)) return 'Its path leads out of the archive.'
  if (/\.(zip|gz|tar|7z|rar)$/i.test(name)) return 'An archive within the archive is not read. Upload it by itself.'
  return isEncrypted ? 'It is encrypted.' : null
}

function isUnsafe(name: string): boolean {
  return /(^|[\\/])\.\.([\\/]|$)|^[\\/]|^[a-z]:|\0/i.test(name)
}

function unpackAll(zip: Buffer, entries: ZipEntry[], maxBytes: number, problems: ExportProblem[]): ExportFile[] {
  let room = maxBytes
  return entries.flatMap((entry) => {
    try {
      const bytes = unpackEntry(zip, entry, Math.max(room, 1))
      room -= bytes.length
      return { path: entry.name, bytes }
    } catch (error) {
      // A damaged file is skipped; an oversized one may be an attack and fails the export.
      if (!(error instanceof UnreadableFile) || /too large/.test(error.message)) throw error
      problems.push({ name: entry.name, message: error.message })
      return []
    }
  })
}

type Read = (file: ExportFile) => Promise<ExportPage[]>

function readerOf(
  files: ExportFile[],
  { maxDepth }: ParseLimits,
  problems: ExportProblem[],
): { kind: Export['kind']; read: Read } {
  const paths = new Set(files.map(({ path }) => path))
  if (files.some(({ path }) => isNotionPath(path)))
    return {
      kind: 'notion',
      read: async (file) => (isSecondTable(file.path, paths) ? [] : some(await readNotionPage(file, maxDepth))),
    }
  if (files.some(isConfluencePage))
    return { kind: 'confluence', read: async (file) => some(readConfluencePage(file, maxDepth)) }
  if (files.length > 0 && files.every(({ path }) => /\.json$/i.test(path)))
    return { kind: 'zendesk', read: async (file) => readZendeskArticles(file, problems) }
  const [first] = problems
  throw new UnreadableFile(
    files.length === 0 && first
      ? `${first.name}: ${first.message}`
      : 'This archive is not an export of Notion, Confluence (HTML) or Zendesk.',
  )
}

function toExport(kind: Export['kind'], read: ExportPage[], problems: ExportProblem[]): Export {
  const pages = read.flatMap((page) => {
    if (page.content.length <= LONGEST_PAGE) return { ...page, title: page.title.slice(0, LONGEST_TITLE) }
    problems.push({ name: page.title, message: `The page has more than ${LONGEST_PAGE} characters of text.` })
    return []
  })
  if (pages.length > MAX_PAGES) throw new UnreadableFile(`This export has more than ${MAX_PAGES} pages.`)
  const [first] = problems
  if (pages.length === 0)
    throw new UnreadableFile(first ? `${first.name}: ${first.message}` : 'This export contains no pages with text.')
  return { kind, pages, problems: problems.slice(0, PROBLEMS_TOLD) }
}

function some(page: ExportPage | null): ExportPage[] {
  return page ? [page] : []
}
