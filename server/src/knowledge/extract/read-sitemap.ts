// A sitemap, an index of sitemaps, or a plain list of addresses; zipped or not.
import { gunzipSync } from 'node:zlib'
import { parseXml } from '../files/parse-xml.ts'
import { decodeText } from './decode-text.ts'
import type { ParseLimits } from './parse-limits.ts'

const MOST_ADDRESSES = 50_000

export interface Sitemap {
  pages: string[]
  sitemaps: string[]
}

/** Null when it is no sitemap. */
export function readSitemap(bytes: Uint8Array, { maxDepth, maxBytes }: ParseLimits): Sitemap | null {
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = decodeText(zipped ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes, '')
  if (isSitemap(text)) return readXml(text, maxDepth)
  const lines = text
    .split(/\r?\n/, MOST_ADDRESSES)
    .map((line) => line.trim())
    .filter(Boolean)
  const isList = lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/.test(line))
  return isList ? { pages: lines, sitemaps: [] } : null
}

function isSitemap(text: string): boolean {
  return /<(?:\w+:)?(urlset|sitemapindex)[\s>]/i.test(text.slice(0, 5000))
}

function readXml(text: string, maxDepth: number): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] }
  const trail: string[] = []
  let address = ''
  parseXml(text, maxDepth, {
    open(name) {
      trail.push(local(name))
      if (local(name) === 'loc') address = ''
    },
    text(part) {
      if (trail.at(-1) === 'loc') address += part
    },
    close(name, isImplied) {
      trail.pop()
      // An address that is cut off with the file leads elsewhere.
      if (isImplied || local(name) !== 'loc' || found.pages.length + found.sitemaps.length >= MOST_ADDRESSES) return
      if (trail.at(-1) === 'url') found.pages.push(address.trim())
      else if (trail.at(-1) === 'sitemap') found.sitemaps.push(address.trim())
    },
  })
  return found
}

function local(name: string): string {
  return name.toLowerCase().replace(/^.*:/, '')
}
