// Reads a sitemap, a sitemap index or a plain list of URLs, gzipped or not.
import { gunzipSync } from 'node:zlib'
import { decodeText } from './decode-text.ts'
import type { ParseLimits } from './parse-limits.ts'
import { parseXml } from './parse-xml.ts'

const MAX_ADDRESSES = 50_000
const HOUR_MS = 3_600_000

interface SitemapPage {
  url: string
  changedAt?: number
}

export interface Sitemap {
  pages: SitemapPage[]
  sitemaps: string[]
}

/** Null when it is not a sitemap. */
export function readSitemap(bytes: Uint8Array, { maxDepth, maxBytes }: ParseLimits): Sitemap | null {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = decodeText(isGzip ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes, '')
  if (isSitemap(text)) return readXml(text, maxDepth)
  const lines = text
    .split(/\r?\n/, MAX_ADDRESSES)
    .map((line) => line.trim())
    .filter(Boolean)
  const isList = lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/.test(line))
  return isList ? { pages: lines.map((url) => ({ url })), sitemaps: [] } : null
}

function isSitemap(text: string): boolean {
  return /<(?:\w+:)?(urlset|sitemapindex)[\s>]/i.test(text.slice(0, 5000))
}

function readXml(text: string, maxDepth: number): Sitemap {
  const sitemap: Sitemap = { pages: [], sitemaps: [] }
  const trail: string[] = []
  let value = ''
  let page: SitemapPage = { url: '' }
  parseXml(text, maxDepth, {
    open(name) {
      trail.push(localName(name))
      value = ''
      if (trail.at(-1) === 'url') page = { url: '' }
    },
    text(part) {
      if (trail.at(-1) === 'loc' || trail.at(-1) === 'lastmod') value += part
    },
    close(name, isImplied) {
      trail.pop()
      // Skip a URL truncated at the end of the file.
      if (isImplied || sitemap.pages.length + sitemap.sitemaps.length >= MAX_ADDRESSES) return
      const isLocation = localName(name) === 'loc'
      if (isLocation && trail.at(-1) === 'sitemap') sitemap.sitemaps.push(value.trim())
      else if (isLocation && trail.at(-1) === 'url' && page.url === '') {
        page.url = value.trim()
        sitemap.pages.push(page)
      } else if (localName(name) === 'lastmod' && trail.at(-1) === 'url') {
        const changedAt = changeTime(value.trim())
        if (changedAt !== null) page.changedAt = changedAt
      }
    },
  })
  return sitemap
}

/** A date without a time counts as the end of that day in the last time zone: the page may have changed until then. */
function changeTime(lastmod: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}/.test(lastmod)) return null
  const isDay = lastmod.length === 10
  const time = Date.parse(/T[\d:.]+$/.test(lastmod) ? `${lastmod}Z` : lastmod)
  return Number.isNaN(time) ? null : time + (isDay ? 36 * HOUR_MS : 0)
}

function localName(name: string): string {
  return name.toLowerCase().replace(/^.*:/, '')
}
