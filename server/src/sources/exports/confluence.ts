// Reads Confluence's HTML export of a space: one file per page, with the space's navigation around the content.
import { decodeText } from '../extraction/decode-text.ts'
import type { ExportFile, ExportPage } from './export-page.ts'
import { innerHtml, textOf, withoutLocalLinks } from './html-element.ts'

/** Lists of other pages, and tables of contents. */
const NAVIGATION = /(^|\s)(toc-macro|plugin_pagetree|page-metadata|children-macro|contentLayoutNavigation)(\s|$)/

export function isConfluencePage({ path, bytes }: ExportFile): boolean {
  return /\.html?$/i.test(path) && bytes.includes('id="main-content"') && bytes.includes('id="title-text"')
}

/** Null for navigation pages, such as the list of all pages. */
export function readConfluencePage(file: ExportFile, maxDepth: number): ExportPage | null {
  const name = (file.path.split('/').at(-1) ?? '').replace(/\.html?$/i, '')
  if (name === 'index' || !isConfluencePage(file)) return null
  const html = decodeText(file.bytes, '')
  const byId = (wanted: string) =>
    innerHtml(
      html,
      maxDepth,
      ({ id }) => id === wanted,
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
