// Links and images: strings, objects with a `src` or `url`, lists of them, or GraphQL connections.

import type { Remarks } from '../remarks.ts'
import { isItem } from './collect-fields.ts'

const LONGEST = 2048
const MAX_IMAGES = 20
// Fast path: parsing a URL costs more than the rest of a simple item.
const PLAIN = /^https?:\/\/[a-z\d][a-z\d.-]*\/[\w\-./?=&]*$/

/** A list in any of its forms: an array, `{ nodes }`, `{ edges: [{ node }] }`, or a single value. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) return []
  if (isItem(value) && Array.isArray(value.nodes)) return value.nodes
  if (isItem(value) && Array.isArray(value.edges)) return value.edges.map((edge) => (isItem(edge) ? edge.node : null))
  return [value]
}

/** An absolute http(s) URL; relative ones are resolved against the bot's site. Others are dropped. */
export function readUrl(value: unknown, siteUrl: string | null, remarks: Remarks): string | null {
  const text = addressIn(value)
  if (!text) return null
  if (isPlain(text)) return text
  if (text.length <= LONGEST && URL.canParse(text, siteUrl ?? undefined)) {
    const url = new URL(text, siteUrl ?? undefined)
    if (url.protocol === 'https:' || url.protocol === 'http:') return url.href
  }
  remarks.warn('unreadable_url', 'A URL is not valid and was ignored.')
  return null
}

export function readImages(values: unknown[], siteUrl: string | null, remarks: Remarks): string[] {
  const [only] = values
  if (values.length === 1 && typeof only === 'string' && isPlain(only)) return [only]
  const urls = values
    .flatMap((value) => (typeof value === 'string' ? value.split(/,(?=\s*https?:)/, MAX_IMAGES) : listOf(value)))
    .slice(0, MAX_IMAGES)
    .map((value) => readUrl(value, siteUrl, remarks))
  return [...new Set(urls.filter((url) => url !== null))]
}

function isPlain(text: string): boolean {
  return text.length <= LONGEST && PLAIN.test(text) && !text.includes('/.')
}

function addressIn(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() || null
  const inner = Array.isArray(value) ? value[0] : value
  if (typeof inner === 'string') return inner.trim() || null
  if (!isItem(inner)) return null
  const address = inner.src ?? inner.url ?? inner.contentUrl ?? inner.link ?? inner['@id']
  return typeof address === 'string' ? address.trim() || null : null
}
