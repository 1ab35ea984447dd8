// The help pages of the fictional demo shop, from the repository's demo folder.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../demo/pages', import.meta.url))

const FICTION_NOTE = /\n_[^_\n]+_\s*$/

export interface DemoPage {
  /** Path below /demo/, such as "shipping" or "de/versand". */
  slug: string
  title: string
  language: string
  markdown: string
  /** Without the footer that calls the shop fictional, which answers no visitor's question. */
  content: string
}

export function readDemoPages(): DemoPage[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => {
      const markdown = readFileSync(join(FOLDER, path), 'utf8')
      const slug = path.replace(/\.md$/, '').replaceAll('\\', '/')
      const title = /^# (.+)$/m.exec(markdown)?.[1]?.trim() ?? slug
      const language = slug.includes('/') ? slug.slice(0, 2) : 'en'
      return { slug, title, language, markdown, content: markdown.replace(FICTION_NOTE, '') }
    })
}
