// Reads Notion's export: one file per page, named by title and id; databases also as CSV.
import { decodeText } from '../extraction/decode-text.ts'
import { readTable } from '../files/read-table.ts'
import { type ExportFile, type ExportPage, shortHash } from './export-page.ts'
import { innerHtml, textOf, withoutLocalLinks } from './html-element.ts'

const NAMED = /^(?<title>.*?)[ _-]*(?<id>[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?<all>_all)?$/i
const LINK = /(!?)\[([^\]]*)\]\((?!https?:|mailto:)(?:[^()\n]|\([^()\n]*\))*\)/g

export function isNotionPath(path: string): boolean {
  return /\.(md|html|csv)$/i.test(path) && NAMED.test(stem(path))
}

/** Null for files without content. */
export async function readNotionPage({ path, bytes }: ExportFile, maxDepth: number): Promise<ExportPage | null> {
  const { title: named = '', id: ownId = '' } = NAMED.exec(stem(path))?.groups ?? { title: stem(path) }
  const id = `notion-${ownId ? ownId.replaceAll('-', '').toLowerCase() : shortHash(path)}`
  const text = decodeText(bytes, '').replace(/^\uFEFF/, '')
  if (/\.csv$/i.test(path)) {
    const table = await readTable(text).catch(() => null)
    return table === null ? null : { id: `${id}-table`, title: named, url: null, format: 'markdown', content: table }
  }
  if (/\.md$/i.test(path)) {
    const heading = /^#[ \t]+(.+)$/m.exec(text)?.[1]?.trim()
    const content = text.replace(LINK, (_all, picture: string, words: string) => (picture ? '' : words))
    const hasText = /[\p{L}\p{N}]/u.test(content.replace(/^#[ \t]+.+$/m, ''))
    return hasText ? { id, title: heading || named, url: null, format: 'markdown', content } : null
  }
  if (stem(path) === 'index') return null
  const body = innerHtml(text, maxDepth, ({ class: names = '' }) => names.split(' ').includes('page-body'))
  const title = textOf(/<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? '') || named
  if (body === null || textOf(body) === '') return null
  return { id, title, url: null, format: 'html', content: withoutLocalLinks(body) }
}

/** A database may be exported twice: the visible columns and all of them. */
export function isSecondTable(path: string, all: ReadonlySet<string>): boolean {
  return /\.csv$/i.test(path) && all.has(path.replace(/\.csv$/i, '_all.csv'))
}

function stem(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '')
}
