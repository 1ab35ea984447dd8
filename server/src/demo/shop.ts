// The help pages and products of the fictional demo shop, from the repository's demo folder.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SyncEntry } from '../catalogue/products/read-products.ts'

const PAGES = fileURLToPath(new URL('../../../demo/pages', import.meta.url))
const PRODUCTS = fileURLToPath(new URL('../../../demo/products.json', import.meta.url))
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
  return readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => {
      const markdown = readFileSync(join(PAGES, path), 'utf8')
      const slug = path.replace(/\.md$/, '').replaceAll('\\', '/')
      const title = /^# (.+)$/m.exec(markdown)?.[1]?.trim() ?? slug
      const language = slug.includes('/') ? slug.slice(0, 2) : 'en'
      return { slug, title, language, markdown, content: markdown.replace(FICTION_NOTE, '') }
    })
}

/** What a product page shows. */
export interface DemoProduct {
  title: string
  description: string
  /** "/demo/products/…" */
  link: string
  price: number
  currency: string
  availability: string
  brand: string
  product_type: string
  attributes?: Record<string, string | number>
}

export function demoProducts(): DemoProduct[] {
  return JSON.parse(readFileSync(PRODUCTS, 'utf8'))
}

export async function* readDemoProducts(): AsyncGenerator<SyncEntry[]> {
  yield demoProducts().map((value) => ({ kind: 'item', value }))
}
