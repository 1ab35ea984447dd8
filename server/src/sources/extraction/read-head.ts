// Reads a page's metadata and links in one pass that tolerates broken markup.
import { Parser } from 'htmlparser2'
import { defaultParseLimits, makeDepthCounter } from './parse-limits.ts'

const MAX_LINKS = 2000
/** As written, including parts that normalisation removes. */
export const LONGEST_LINK = 4000
const LONGEST_STRUCTURED_CHARACTERS = 1_000_000

/** Their text is not shown. */
const unseenElements = new Set(['head', 'script', 'style', 'noscript', 'template'])
/** What the usual frameworks call the element that they fill. */
const mounts = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte', 'react-root', 'application'])
/** `window.__STATE__ = {…}` */
const ASSIGNMENT = /^\s*(?:window|self|globalThis)(?:\.[\w$]+|\["[\w$-]+"\])\s*=\s*(?=[{[])/
const productProperties = new Set(['name', 'description', 'sku', 'brand'])
const offerProperties = new Set(['price', 'lowPrice', 'priceCurrency', 'availability'])

interface MicrodataProduct {
  '@type': 'Product'
  name?: string
  offers: Record<string, string>
}

export interface PageHead {
  title: string
  heading: string
  /** Its title for sharing (og:title). */
  sharedTitle: string
  canonical: string | null
  /** Base of relative links, if it is not the page's own URL. */
  base: string | null
  links: string[]
  noindex: boolean
  nofollow: boolean
  /** Whether the page declares itself an article. */
  isArticle: boolean
  structuredData: unknown[]
  /** Products in microdata, as JSON-LD. */
  microdata: MicrodataProduct[]
  /** JSON for the page's scripts, not parsed. */
  embeddedData: string[]
  /** Visible characters, as far as they are in the markup. */
  textLength: number
  hasScripts: boolean
  /** Whether the markup is only a frame for scripts, with an empty element to fill. */
  isFrame: boolean
  /** The deepest nesting of elements. */
  depth: number
}

export function readHead(html: string, maxDepth = defaultParseLimits.maxDepth): PageHead {
  const head: PageHead = {
    title: '',
    heading: '',
    sharedTitle: '',
    canonical: null,
    base: null,
    links: [],
    noindex: false,
    nofollow: false,
    isArticle: false,
    structuredData: [],
    microdata: [],
    embeddedData: [],
    textLength: 0,
    hasScripts: false,
    isFrame: false,
    depth: 0,
  }
  const links = new Set<string>()
  let reading: 'title' | 'heading' | 'structured' | 'data' | null = null
  let structured = ''
  let unseen = 0
  /** The element that scripts fill: its depth, and the text before it. */
  let mount: { depth: number; textBefore: number } | null = null
  const nesting = makeDepthCounter(maxDepth)

  function link(href: string | undefined) {
    if (href && href.length <= LONGEST_LINK && links.size < MAX_LINKS) links.add(href.trim())
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      nesting.open()
      head.depth = Math.max(head.depth, nesting.depth())
      if (unseenElements.has(name)) unseen++
      if (name === 'script' && (attributes.src || attributes.type === 'module')) head.hasScripts = true
      if (mounts.has(attributes.id ?? '') || name === 'app-root')
        mount ??= { depth: nesting.depth(), textBefore: head.textLength }
      readMicrodata(name, attributes)
      if (name === 'title' && !head.title) reading = 'title'
      else if (name === 'h1' && !head.heading) reading = 'heading'
      else if (name === 'script' && /ld\+json/i.test(attributes.type ?? '')) reading = 'structured'
      else if (name === 'script' && !attributes.src) reading = 'data'
      else if (name === 'base') head.base ??= attributes.href ?? null
      else if (name === 'a' || name === 'area') {
        if (!words(attributes.rel).includes('nofollow')) link(attributes.href)
      } else if (name === 'link') {
        if (words(attributes.rel).includes('canonical')) head.canonical ??= attributes.href ?? null
        if (words(attributes.rel).includes('next')) link(attributes.href)
      } else if (name === 'meta') readMeta(attributes)
    },
    ontext(text) {
      if (reading === 'title') head.title += text
      else if (reading === 'heading') head.heading += text
      else if (reading && structured.length < LONGEST_STRUCTURED_CHARACTERS) structured += text
      if (unseen === 0) head.textLength += text.replace(/\s+/g, '').length
    },
    onclosetag(name) {
      if (mount && nesting.depth() === mount.depth) {
        head.isFrame ||= head.textLength === mount.textBefore
        mount = null
      }
      nesting.close()
      if (unseenElements.has(name)) unseen--
      if (name === 'script' && reading === 'data') {
        // Parsed only if the page turns out to need it.
        const json = structured.replace(ASSIGNMENT, '').replace(/;\s*$/, '')
        if (/^\s*[{[]/.test(json)) head.embeddedData.push(json)
        structured = ''
        reading = null
      } else if (name === 'script' && reading === 'structured') {
        const data = parseJson(structured)
        if (data !== undefined) head.structuredData.push(data)
        structured = ''
        reading = null
      } else if (name === 'title' || name === 'h1') reading = null
    },
  })

  /** Values that the page does not show; what it shows is read as text. */
  function readMicrodata(name: string, attributes: Record<string, string>) {
    if (/schema\.org\/Product$/.test(attributes.itemtype ?? '')) head.microdata.push({ '@type': 'Product', offers: {} })
    const product = head.microdata.at(-1)
    const property = attributes.itemprop ?? ''
    const value = attributes.content ?? (name === 'link' ? attributes.href : undefined)
    if (!product || value === undefined) return
    if (offerProperties.has(property)) product.offers[property] ??= value
    else if (productProperties.has(property)) product[property as 'name'] ??= value
  }

  function readMeta(attributes: Record<string, string>) {
    const name = (attributes.name ?? attributes.property ?? '').toLowerCase()
    const content = attributes.content ?? ''
    if (name === 'robots' || name === 'docentbot') {
      const { noindex, nofollow } = robotsDirectives(content)
      head.noindex ||= noindex
      head.nofollow ||= nofollow
    } else if (name === 'og:title') head.sharedTitle ||= tidy(content)
    else if (name === 'og:type') head.isArticle ||= /article/i.test(content)
    else if (/^refresh$/i.test(attributes['http-equiv'] ?? ''))
      link(/^\s*[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.slice(0, LONGEST_LINK))?.[1])
  }

  parser.end(html)
  head.links = [...links]
  head.title = tidy(head.title)
  head.heading = tidy(head.heading)
  for (const product of head.microdata) product.name ??= head.heading || head.title
  return head
}

/** Handles "noindex, nofollow", "none", and "otherbot: noindex", which is not for us. */
export function robotsDirectives(text: string): { noindex: boolean; nofollow: boolean } {
  const found = { noindex: false, nofollow: false }
  let forUs = true
  for (const part of text.toLowerCase().split(',')) {
    const named = /^\s*([\w-]+)\s*:\s*(.*)$/.exec(part)
    if (named && named[1] !== 'unavailable_after' && !named[1]?.startsWith('max-')) forUs = named[1] === 'docentbot'
    const directive = (named?.[2] ?? part).trim()
    if (!forUs) continue
    if (directive === 'noindex' || directive === 'none') found.noindex = true
    if (directive === 'nofollow' || directive === 'none') found.nofollow = true
  }
  return found
}

function words(text = ''): string[] {
  return text.toLowerCase().split(/\s+/)
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
