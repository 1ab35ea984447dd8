// Reads exports of Notion, Confluence and Zendesk. Nothing is written to disk, so paths cannot escape; one size
// limit covers all unpacked files together.

import { createHash } from 'node:crypto'
import { Parser } from 'htmlparser2'
import { collapseSpaces } from '../../language/fold.ts'
import { decodeText } from '../extraction/decode-text.ts'
import { makeDepthCounter, type ParseLimits, UnreadableFile } from '../extraction/parse-limits.ts'
import { listZipEntries, unpackEntry, type ZipEntry } from './read-zip.ts'
import { readCsvTable } from './table-text.ts'

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
  const pageEntries = entries.filter((entry) => {
    const { name } = entry
    if (/(^|\/)(__MACOSX\/|\.)/.test(name) && !isUnsafe(name)) return false
    const message = problemOf(entry)
    if (message) problems.push({ name: name.slice(0, 300), message })
    return !message && /\.(md|html?|csv|json)$/i.test(name)
  })
  if (pageEntries.length > MAX_PAGES)
    throw new UnreadableFile(`This archive has more than ${MAX_PAGES} pages. Export it in parts.`)
  return pageEntries
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

function toExport(kind: Export['kind'], exportPages: ExportPage[], problems: ExportProblem[]): Export {
  const pages = exportPages.flatMap((page) => {
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

/** A page of an export, which becomes a document. */
interface ExportPage {
  /** The same in every export, so that a later one replaces the page. */
  id: string
  title: string
  /** The page's public URL, if the export contains it. */
  url: string | null
  format: 'html' | 'markdown'
  content: string
}

/** A file of an export, unpacked. */
interface ExportFile {
  path: string
  bytes: Buffer
}

/** A skipped part of an export, and why. */
export interface ExportProblem {
  name: string
  message: string
}

/** Replaces an id that the export does not contain. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 26)
}

// Reads Notion's export: one file per page, named by title and id; databases also as CSV.
const NAMED = /^(?<title>.*?)[ _-]*(?<id>[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?<all>_all)?$/i
const LINK = /(!?)\[([^\]]*)\]\((?!https?:|mailto:)(?:[^()\n]|\([^()\n]*\))*\)/g

function isNotionPath(path: string): boolean {
  return /\.(md|html|csv)$/i.test(path) && NAMED.test(stem(path))
}

/** Null for files without content. */
async function readNotionPage({ path, bytes }: ExportFile, maxDepth: number): Promise<ExportPage | null> {
  const { title: fileTitle = '', id: ownId = '' } = NAMED.exec(stem(path))?.groups ?? { title: stem(path) }
  const id = `notion-${ownId ? ownId.replaceAll('-', '').toLowerCase() : shortHash(path)}`
  const text = decodeText(bytes, '').replace(/^\uFEFF/, '')
  if (/\.csv$/i.test(path)) {
    const table = await readCsvTable(text).catch(() => null)
    return table === null
      ? null
      : { id: `${id}-table`, title: fileTitle, url: null, format: 'markdown', content: table }
  }
  if (/\.md$/i.test(path)) {
    const heading = /^#[ \t]+(.+)$/m.exec(text)?.[1]?.trim()
    const content = text.replace(LINK, (_all, picture: string, words: string) => (picture ? '' : words))
    const hasText = /[\p{L}\p{N}]/u.test(content.replace(/^#[ \t]+.+$/m, ''))
    return hasText ? { id, title: heading || fileTitle, url: null, format: 'markdown', content } : null
  }
  if (stem(path) === 'index') return null
  const body = innerHtml(text, maxDepth, ({ class: names = '' }) => names.split(' ').includes('page-body'))
  const title = textOf(/<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? '') || fileTitle
  if (body === null || textOf(body) === '') return null
  return { id, title, url: null, format: 'html', content: withoutLocalLinks(body) }
}

/** A database may be exported twice: the visible columns and all of them. */
function isSecondTable(path: string, all: ReadonlySet<string>): boolean {
  return /\.csv$/i.test(path) && all.has(path.replace(/\.csv$/i, '_all.csv'))
}

function stem(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '')
}

// Reads Confluence's HTML export of a space: one file per page, with the space's navigation around the content.

/** Lists of other pages, and tables of contents. */
const NAVIGATION = /(^|\s)(toc-macro|plugin_pagetree|page-metadata|children-macro|contentLayoutNavigation)(\s|$)/

function isConfluencePage({ path, bytes }: ExportFile): boolean {
  return /\.html?$/i.test(path) && bytes.includes('id="main-content"') && bytes.includes('id="title-text"')
}

/** Null for navigation pages, such as the list of all pages. */
function readConfluencePage(file: ExportFile, maxDepth: number): ExportPage | null {
  const name = (file.path.split('/').at(-1) ?? '').replace(/\.html?$/i, '')
  if (name === 'index' || !isConfluencePage(file)) return null
  const html = decodeText(file.bytes, '')
  const byId = (wantedId: string) =>
    innerHtml(
      html,
      maxDepth,
      ({ id }) => id === wantedId,
      ({ class: names = '' }) => NAVIGATION.test(names),
    )
  const heading = textOf(byId('title-text') ?? '')
  const content = byId('main-content') ?? ''
  if (textOf(content) === '') return null
  // "Space : Title"
  const title = heading.replace(/^.*? : /, '') || name
  const number = /(?:^|_)(\d+)$/.exec(name)?.[1]
  const id = `confluence-${number ?? encodeURIComponent(name).replaceAll('%', '').slice(0, 100)}`
  return { id, title, url: null, format: 'html', content: withoutLocalLinks(content) }
}

// Reads articles of a Zendesk help centre, as its API returns them: {"articles": [{"title", "body", "html_url"}]}.
interface Article {
  id?: unknown
  title?: unknown
  name?: unknown
  body?: unknown
  html_url?: unknown
  draft?: unknown
}

function readZendeskArticles({ path, bytes }: ExportFile, problems: ExportProblem[]): ExportPage[] {
  return articlesOf(bytes).flatMap((article, index): ExportPage | [] => {
    const { id, title, name, body, html_url: url, draft } = article ?? {}
    const shownTitle = [title, name].find((text) => typeof text === 'string' && text.trim() !== '') as
      | string
      | undefined
    if (draft === true) return []
    if (!shownTitle || typeof body !== 'string' || body.trim() === '') {
      const what = shownTitle ? 'body' : 'title'
      problems.push({ name: `${path}, article ${index + 1}`, message: `The article has no ${what}.` })
      return []
    }
    const link = typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null
    const hasId = typeof id === 'number' || (typeof id === 'string' && /^\w{1,64}$/.test(id))
    const key = hasId ? String(id) : shortHash(link ?? shownTitle)
    return { id: `zendesk-${key}`, title: shownTitle.trim(), url: link, format: 'html', content: body }
  })
}

function articlesOf(bytes: Buffer): (Article | null)[] {
  const noArticles = new UnreadableFile('This JSON has no articles of a Zendesk help centre.')
  try {
    const { articles } = JSON.parse(decodeText(bytes, '').replace(/^\uFEFF/, '')) as { articles?: unknown }
    if (Array.isArray(articles)) return articles as (Article | null)[]
  } catch {
    throw noArticles
  }
  throw noArticles
}

// Extracts elements by an attribute from machine-generated pages.
type Matches = (attributes: Record<string, string>) => boolean

/** The HTML inside the first matching element, without elements matching `leaveOut`; null if there is none. */
function innerHtml(html: string, maxDepth: number, matches: Matches, leaveOut: Matches = () => false) {
  const nesting = makeDepthCounter(maxDepth)
  const parts: string[] = []
  let insideFrom: number | null = null
  let outsideFrom: number | null = null
  let from = 0
  let isDone = false
  const parser: Parser = new Parser({
    onopentag(_name, attributes) {
      nesting.open()
      if (isDone) return
      if (insideFrom === null) {
        if (!matches(attributes)) return
        insideFrom = nesting.depth()
        from = parser.endIndex + 1
      } else if (outsideFrom === null && leaveOut(attributes)) {
        outsideFrom = nesting.depth()
        parts.push(html.slice(from, parser.startIndex))
      }
    },
    onclosetag() {
      if (!isDone && outsideFrom === nesting.depth()) {
        outsideFrom = null
        from = parser.endIndex + 1
      } else if (!isDone && insideFrom === nesting.depth()) {
        parts.push(html.slice(from, parser.startIndex))
        isDone = true
      }
      nesting.close()
    },
  })
  parser.end(html)
  return insideFrom === null ? null : parts.join('')
}

function textOf(html: string): string {
  let text = ''
  new Parser({
    ontext(part) {
      text += part
    },
  }).end(html)
  return collapseSpaces(text)
}

/** Links to other files of the export lead nowhere. */
function withoutLocalLinks(html: string): string {
  return html.replace(/\s(?:href|src)="(?!https?:|mailto:)[^"]*"/gi, '')
}
