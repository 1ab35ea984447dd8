// Reads a page's metadata and links in one pass that tolerates broken markup.
import { Parser } from 'htmlparser2'
import { defaultParseLimits, makeDepthCounter } from './parse-limits.ts'

const MAX_LINKS = 2000
/** As written, including parts that normalisation removes. */
export const LONGEST_LINK = 4000
const LONGEST_STRUCTURED_CHARACTERS = 1_000_000

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
    depth: 0,
  }
  const links = new Set<string>()
  let reading: 'title' | 'heading' | 'structured' | null = null
  let structured = ''
  const nesting = makeDepthCounter(maxDepth)

  function link(href: string | undefined) {
    if (href && href.length <= LONGEST_LINK && links.size < MAX_LINKS) links.add(href.trim())
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      nesting.open()
      head.depth = Math.max(head.depth, nesting.depth())
      if (name === 'title' && !head.title) reading = 'title'
      else if (name === 'h1' && !head.heading) reading = 'heading'
      else if (name === 'script' && /ld\+json/i.test(attributes.type ?? '')) reading = 'structured'
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
      else if (reading === 'structured' && structured.length < LONGEST_STRUCTURED_CHARACTERS) structured += text
    },
    onclosetag(name) {
      nesting.close()
      if (name === 'script' && reading === 'structured') {
        const data = parseJson(structured)
        if (data !== undefined) head.structuredData.push(data)
        structured = ''
        reading = null
      } else if (name === 'title' || name === 'h1') reading = null
    },
  })

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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
