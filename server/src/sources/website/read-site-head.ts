// What a page says about its site: names, icons, colours, language and stylesheets, in one pass over its markup.
import { Parser } from 'htmlparser2'
import { collapseSpaces } from '../../language/fold.ts'
import { decodeText } from '../extraction/decode-text.ts'
import { parseJson } from '../extraction/read-head.ts'

const PAGE_CHARACTERS = 400_000
const TITLE_CHARACTERS = 300
const SIZES_CHARACTERS = 200
const TEXT_CHARACTERS = 3000
const STRUCTURED_CHARACTERS = 200_000
const MAX_ITEMS = 50
const MAX_DEPTH = 10
const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'title'])

interface Icon {
  href: string
  /** Pixels of its longer side; pictures that scale count as large. */
  size: number
}

export interface SiteHead {
  title: string
  /** As the site calls itself, the most explicit first. */
  names: string[]
  language: string | null
  /** As written. */
  colours: string[]
  /** The one for home screens first: it is square and large. */
  icons: Icon[]
  stylesheets: string[]
  /** The content of style elements. */
  styles: string
  /** The beginning of what visitors read. */
  text: string
}

/** Slow on some pages, so it runs in a parser thread. */
export function readSiteHead(bytes: Uint8Array, contentType: string): SiteHead {
  const head: SiteHead = {
    title: '',
    names: [],
    language: null,
    colours: [],
    icons: [],
    stylesheets: [],
    styles: '',
    text: '',
  }
  const meta = new Map<string, string>()
  const touchIcons: Icon[] = []
  const icons: Icon[] = []
  let reading: 'title' | 'style' | 'structured' | null = null
  const blocks: string[] = []
  let unseenDepth = 0

  function readLink({ rel = '', href = '', sizes = '', type = '', color }: Record<string, string>) {
    const kinds = rel.toLowerCase().split(/\s+/)
    const isVector = type.includes('svg') || /\.svg(\?|$)/i.test(href)
    const sides = sizes.slice(0, SIZES_CHARACTERS).split(/[\sx]+/i)
    const size = isVector ? 512 : Math.max(0, ...sides.map((side) => Number.parseInt(side, 10) || 0))
    if (href === '' || head.stylesheets.length + icons.length > MAX_ITEMS) return
    if (kinds.includes('stylesheet')) head.stylesheets.push(href)
    else if (kinds.some((kind) => kind.startsWith('apple-touch-icon'))) touchIcons.push({ href, size: size || 180 })
    else if (kinds.includes('icon')) icons.push({ href, size })
    else if (kinds.includes('mask-icon') && color) head.colours.push(color)
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      if (UNSEEN.has(name)) unseenDepth++
      if (name === 'html') head.language = attributes.lang ?? attributes['xml:lang'] ?? null
      else if (name === 'title' && head.title === '') reading = 'title'
      else if (name === 'style') reading = 'style'
      else if (name === 'script' && /ld\+json/i.test(attributes.type ?? '')) {
        reading = 'structured'
        if (blocks.length < MAX_ITEMS) blocks.push('')
      } else if (name === 'link') readLink(attributes)
      else if (name === 'meta') {
        const key = (attributes.name ?? attributes.property ?? '').toLowerCase()
        if (attributes.content && !meta.has(key)) meta.set(key, attributes.content)
      }
    },
    ontext(text) {
      if (reading === 'title') head.title += text
      else if (reading === 'style') head.styles += text
      else if (reading === 'structured') {
        const block = blocks.pop() ?? ''
        blocks.push(block.length < STRUCTURED_CHARACTERS ? block + text : block)
      } else if (unseenDepth === 0 && head.text.length < TEXT_CHARACTERS) head.text += text
    },
    onclosetag(name) {
      if (!UNSEEN.has(name)) return
      unseenDepth--
      reading = null
    },
  })
  parser.end(decodeText(bytes, contentType, PAGE_CHARACTERS))

  const organisations = blocks.flatMap((block) => namedThings(parseJson(block), 0))
  head.names = [meta.get('og:site_name'), meta.get('application-name'), ...organisations.map(({ name }) => name)]
    .flatMap((name) => (name ? collapseSpaces(name) : []))
    .filter((name) => name !== '')
  head.language ??= meta.get('og:locale') ?? meta.get('content-language') ?? null
  head.colours.unshift(...['theme-color', 'msapplication-tilecolor'].flatMap((name) => meta.get(name) ?? []))
  const bySize = (a: Icon, b: Icon) => b.size - a.size
  const logos = [meta.get('og:logo'), ...organisations.map(({ logo }) => logo)].flatMap((href) =>
    href ? [{ href, size: 0 }] : [],
  )
  head.icons = [...touchIcons.toSorted(bySize), ...icons.toSorted(bySize), ...logos]
  head.title = collapseSpaces(head.title).slice(0, TITLE_CHARACTERS)
  head.text = collapseSpaces(head.text).slice(0, TEXT_CHARACTERS)
  return head
}

const SITE_TYPES = new Set(['WebSite', 'Organization', 'LocalBusiness', 'Corporation', 'OnlineStore', 'Store'])

/** The site and its company in structured data. */
function namedThings(data: unknown, depth: number): { name?: string; logo?: string }[] {
  if (depth > MAX_DEPTH || typeof data !== 'object' || data === null) return []
  if (Array.isArray(data)) return data.slice(0, MAX_ITEMS).flatMap((one) => namedThings(one, depth + 1))
  const { '@graph': graph, '@type': type, name, logo } = data as Record<string, unknown>
  if (graph) return namedThings(graph, depth + 1)
  if (![type].flat().some((one) => SITE_TYPES.has(String(one)))) return []
  const picture = typeof logo === 'string' ? logo : (logo as { url?: unknown } | undefined)?.url
  return [{ ...(typeof name === 'string' ? { name } : {}), ...(typeof picture === 'string' ? { logo: picture } : {}) }]
}

const DECLARATION = /(?<![\w-])([\w-]{1,60})\s{0,5}:\s{0,5}([^;{}]{1,200})/g
const COLOUR = /#[0-9a-f]{3,8}\b|rgba?\([^()]{5,40}\)/gi
const BRAND_VARIABLE = /^--.*(?:brand|primary|accent|main|theme)/i
/** How far the strongest channel is from the weakest: less looks grey. */
const LEAST_CHROMA = 48
/** Of white: lighter colours cannot carry a button. */
const LIGHTEST = 0.7

/**
 * The main colour of a site: the one it declares, otherwise the one its styles use most. Styles are long: only parser
 * threads call it.
 */
export function siteColour(declaredColours: readonly string[], styles: string): string | null {
  const brandColour = declaredColours.flatMap((text) => toHex(text.trim()) ?? []).find(isBrandColour)
  return brandColour ?? mostUsed(styles)
}

function mostUsed(styles: string): string | null {
  const weights = new Map<string, number>()
  for (const [, property = '', value = ''] of styles.matchAll(DECLARATION)) {
    const weight = BRAND_VARIABLE.test(property) ? 30 : property.startsWith('background') ? 3 : 1
    for (const [text] of value.matchAll(COLOUR)) {
      const hex = toHex(text)
      if (hex && isBrandColour(hex)) weights.set(hex, (weights.get(hex) ?? 0) + weight)
    }
  }
  return [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** `#abc`, `#aabbcc` and `rgb(…)` as `#aabbcc`; transparent and other colours are null. */
function toHex(text: string): string | null {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase()
  if (hex) return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
  const channels = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/i.exec(text)?.slice(1).map(Number)
  if (!channels || channels.some((channel) => channel > 255)) return null
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function isBrandColour(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const chroma = Math.max(red, green, blue) - Math.min(red, green, blue)
  const brightness = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
  return chroma >= LEAST_CHROMA && brightness <= LIGHTEST
}
