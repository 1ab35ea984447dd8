// The help pages of the fictional demo shop, from the repository's demo folder.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../demo/pages', import.meta.url))

export interface DemoPage {
  /** Path below /demo/, such as "shipping" or "de/versand". */
  slug: string
  title: string
  language: string
  markdown: string
}

export function readDemoPages(): DemoPage[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => {
      const markdown = readFileSync(join(FOLDER, path), 'utf8')
      const slug = path.replace(/\.md$/, '').replaceAll('\\', '/')
      const title = /^# (.+)$/m.exec(markdown)?.[1]?.trim() ?? slug
      return { slug, title, language: slug.includes('/') ? slug.slice(0, 2) : 'en', markdown }
    })
}
