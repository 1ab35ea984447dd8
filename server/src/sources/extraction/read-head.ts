// Reads a page's metadata and links in one pass that tolerates broken markup.
import { Parser } from 'htmlparser2'
import { collapseSpaces } from '../../language/fold.ts'
import { defaultParseLimits, makeDepthCounter } from './parse-limits.ts'

const MAX_LINKS = 2000
/** As written, including parts that normalisation removes. */
export const LONGEST_LINK = 4000
const LONGEST_STRUCTURED_CHARACTERS = 1_000_000

/** Their text is not shown. */
const UNSEEN_ELEMENTS = new Set(['head', 'script', 'style', 'noscript', 'template'])
/** What the usual frameworks call the element that they fill. */
const MOUNTS = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte', 'react-root', 'application'])
/** `window.__STATE__ = {…}` */
const ASSIGNMENT = /^\s*(?:window|self|globalThis)(?:\.[\w$]+|\["[\w$-]+"\])\s*=\s*(?=[{[])/
const PRODUCT_PROPERTIES = new Set(['name', 'description', 'sku', 'brand'])
const LONGEST_NAME = 300
const OFFER_PROPERTIES = new Set(['price', 'lowPrice', 'priceCurrency', 'availability'])

interface MicrodataProduct {
  '@type': 'Product'
  name?: string
  brand?: string
  offers: Record<string, string>
}

interface MicrodataItem {
  kind: 'product' | 'offers' | 'brand' | 'other'
  product: MicrodataProduct
  depth: number
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
  let structuredText = ''
  let unseenDepth = 0
  /** The element that scripts fill: its depth, and the text before it. */
  let mount: { depth: number; textBefore: number } | null = null
  const nesting = makeDepthCounter(maxDepth)
  /** The items of microdata that are open, the innermost last. */
  const items: MicrodataItem[] = []
  /** The element that shows a product's name. */
  let shownName: { depth: number; product: MicrodataProduct } | null = null

  function link(href: string | undefined) {
    if (href && href.length <= LONGEST_LINK && links.size < MAX_LINKS) links.add(href.trim())
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      nesting.open()
      head.depth = Math.max(head.depth, nesting.depth())
      if (UNSEEN_ELEMENTS.has(name)) unseenDepth++
      if (name === 'script' && (attributes.src || attributes.type === 'module')) head.hasScripts = true
      if (MOUNTS.has(attributes.id ?? '') || name === 'app-root')
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
      else if (reading && structuredText.length < LONGEST_STRUCTURED_CHARACTERS) structuredText += text
      if (shownName && (shownName.product.name?.length ?? 0) < LONGEST_NAME)
        shownName.product.name = `${shownName.product.name ?? ''}${text}`
      if (unseenDepth === 0) head.textLength += text.replace(/\s+/g, '').length
    },
    onclosetag(name) {
      if (mount && nesting.depth() === mount.depth) {
        head.isFrame ||= head.textLength === mount.textBefore
        mount = null
      }
      if (items.at(-1)?.depth === nesting.depth()) items.pop()
      if (shownName?.depth === nesting.depth()) shownName = null
      nesting.close()
      if (UNSEEN_ELEMENTS.has(name)) unseenDepth--
      if (name === 'script' && reading === 'data') {
        // Parsed only if the page turns out to need it.
        const json = structuredText.replace(ASSIGNMENT, '').replace(/;\s*$/, '')
        if (/^\s*[{[]/.test(json)) head.embeddedData.push(json)
        structuredText = ''
        reading = null
      } else if (name === 'script' && reading === 'structured') {
        const data = parseJson(structuredText)
        if (data !== undefined) head.structuredData.push(data)
        structuredText = ''
        reading = null
      } else if (name === 'title' || name === 'h1') reading = null
    },
  })

  /** Values that the page does not show, and the names of products; the rest of what it shows is read as text. */
  function readMicrodata(name: string, attributes: Record<string, string>) {
    const outer = items.at(-1)
    const property = attributes.itemprop ?? ''
    const value = attributes.content ?? (name === 'link' ? attributes.href : undefined)
    if (outer && value !== undefined) addProperty(outer, property, value)
    else if (outer?.kind === 'product' && property === 'name' && attributes.itemscope === undefined)
      if (outer.product.name === undefined) shownName = { depth: nesting.depth(), product: outer.product }
    const isProduct = /schema\.org\/Product$/.test(attributes.itemtype ?? '')
    if (isProduct) {
      const product: MicrodataProduct = { '@type': 'Product', offers: {} }
      head.microdata.push(product)
      items.push({ kind: 'product', product, depth: nesting.depth() })
    } else if (outer && attributes.itemscope !== undefined) {
      const kind = property === 'offers' || property === 'brand' ? property : 'other'
      items.push({ kind, product: outer.product, depth: nesting.depth() })
    }
  }

  function readMeta(attributes: Record<string, string>) {
    const name = (attributes.name ?? attributes.property ?? '').toLowerCase()
    const content = attributes.content ?? ''
    if (name === 'robots' || name === 'docentbot') {
      const { noindex, nofollow } = robotsDirectives(content)
      head.noindex ||= noindex
      head.nofollow ||= nofollow
    } else if (name === 'og:title') head.sharedTitle ||= collapseSpaces(content)
    else if (name === 'og:type') head.isArticle ||= /article/i.test(content)
    else if (/^refresh$/i.test(attributes['http-equiv'] ?? ''))
      link(/^\s*[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.slice(0, LONGEST_LINK))?.[1])
  }

  parser.end(html)
  head.links = [...links]
  head.title = collapseSpaces(head.title)
  head.heading = collapseSpaces(head.heading)
  const [only, ...more] = head.microdata
  for (const product of head.microdata) if (product.name !== undefined) product.name = collapseSpaces(product.name)
  // The page is about its only product; of several, it names none.
  if (only && more.length === 0) only.name ||= head.heading || head.title
  head.microdata = head.microdata.filter(({ name }) => name)
  return head
}

/** The name of a brand or reviewer is not that of the product. */
function addProperty({ kind, product }: MicrodataItem, property: string, value: string) {
  if (kind === 'brand' && property === 'name') product.brand ??= value
  else if (kind !== 'offers' && kind !== 'product') return
  else if (OFFER_PROPERTIES.has(property)) product.offers[property] ??= value
  else if (kind === 'product' && PRODUCT_PROPERTIES.has(property)) product[property as 'name'] ??= value
}

/** Handles "noindex, nofollow", "none", and "otherbot: noindex", which is not for us. */
export function robotsDirectives(text: string): { noindex: boolean; nofollow: boolean } {
  const directives = { noindex: false, nofollow: false }
  let forUs = true
  for (const part of text.toLowerCase().split(',')) {
    const namedDirective = /^\s*([\w-]+)\s*:\s*(.*)$/.exec(part)
    if (namedDirective && namedDirective[1] !== 'unavailable_after' && !namedDirective[1]?.startsWith('max-'))
      forUs = namedDirective[1] === 'docentbot'
    const directive = (namedDirective?.[2] ?? part).trim()
    if (!forUs) continue
    if (directive === 'noindex' || directive === 'none') directives.noindex = true
    if (directive === 'nofollow' || directive === 'none') directives.nofollow = true
  }
  return directives
}

function words(text = ''): string[] {
  return text.toLowerCase().split(/\s+/)
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
