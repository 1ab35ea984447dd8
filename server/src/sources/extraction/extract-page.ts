// Extracts what the crawl needs from a page: text as simple HTML, links, and metadata.
import { createHash } from 'node:crypto'
import { collapseSpaces } from '../../language/fold.ts'
import { textOfBlocks } from '../documents/document-blocks.ts'
import { escapeHtml } from '../html/escape-html.ts'
import { parseHtml } from '../html/parse-html.ts'
import { decodeText } from './decode-text.ts'
import { embeddedText } from './embedded-data.ts'
import { mainContent, type PageKind } from './main-content.ts'
import { defaultParseLimits, type ParseLimits } from './parse-limits.ts'
import { type PageHead, parseJson, readHead } from './read-head.ts'

const LONGEST_TITLE = 500
const LONGEST_HTML = 2_000_000
// The rest is ignored, to save memory; the stored text is far shorter anyway.
const LONGEST_SOURCE = 6_000_000
// Readability needs many times the page's memory; longer pages are read without it.
const LONGEST_FOR_LIBRARY = 3_000_000
// Readability's time grows with the square of the depth; no real page comes close.
const DEEPEST = 300
// Characters: below this, the content may be in the data for the page's scripts.
const NEARLY_EMPTY = 200
const BARE = 20

export interface ExtractedPage {
  title: string
  format: 'html' | 'markdown' | 'text'
  content: string
  /** Hash of title and text, to detect the same page under another URL. Null without text. */
  contentHash: string | null
  canonical: string | null
  base: string | null
  links: string[]
  noindex: boolean
  nofollow: boolean
  /** Without JavaScript, the page has no text. */
  needsScripts: boolean
}

export function extractPage(
  bytes: Uint8Array,
  contentType: string,
  { maxDepth }: ParseLimits = defaultParseLimits,
): ExtractedPage {
  const source = decodeText(bytes, contentType, LONGEST_SOURCE).replaceAll('\0', '')
  if (/^text\/plain/i.test(contentType)) return plainPage(source)
  const head = readHead(source, maxDepth)
  // Pages that have both say the same in both.
  const hasProducts = structuredFacts(head.structuredData).products.length > 0
  const structuredData = hasProducts ? head.structuredData : [...head.structuredData, ...head.microdata]
  const facts = structuredFacts(structuredData)
  const isTooMuch = head.depth > DEEPEST || source.length > LONGEST_FOR_LIBRARY
  const main = isTooMuch
    ? source
    : readableMain(source, {
        isArticle: head.isArticle || facts.isArticle,
        questions: facts.questions.map(({ question }) => question),
      })
  const title = ownTitle(head).slice(0, LONGEST_TITLE).trim()
  const extraSections = addedSections(facts, main)
  const { canonical, base, links, noindex, nofollow, hasScripts } = head
  const isNearlyEmpty = hasScripts && head.textLength < NEARLY_EMPTY
  const isFrame = isNearlyEmpty && (head.isFrame || head.textLength < BARE)
  const visibleHtml = `${trailHeading(facts.trail)}${isFrame ? '' : main}${extraSections}`
  const data = isNearlyEmpty ? [...structuredData, ...head.embeddedData.map(parseJson)] : []
  const embeddedHtml = embeddedText(data, fold(textOf(visibleHtml)))
  const needsScripts = isFrame && extraSections === '' && embeddedHtml === ''
  const html = visibleHtml + embeddedHtml
  return { ...toPageContent(title, html), canonical, base, links, noindex, nofollow, needsScripts }
}

function plainPage(source: string): ExtractedPage {
  const html = source
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
  const title = (source.trim().split('\n')[0] ?? '').slice(0, 100).trim()
  return {
    ...toPageContent(title, html),
    canonical: null,
    base: null,
    links: [],
    noindex: false,
    nofollow: false,
    needsScripts: false,
  }
}

function toPageContent(title: string, html: string) {
  const content = html.slice(0, LONGEST_HTML).toWellFormed()
  const text = textOf(content)
  const contentHash = /[\p{L}\p{N}]/u.test(text) ? createHash('sha256').update(`${title}\n${text}`).digest('hex') : null
  return { title, format: 'html' as const, content, contentHash }
}

/** Markup too broken or too deep for Readability is read without it. */
function readableMain(source: string, kind: PageKind): string {
  try {
    const main = mainContent(source, kind)
    if (main && textOf(main)) return main
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  return source
}

/** "Returns · Acme" becomes "Returns" if the page's heading says so. */
function ownTitle({ title, heading, sharedTitle }: PageHead): string {
  const isBegun = (by: string) => by && title.startsWith(by) && /^\s+[^\p{L}\p{N}\s]\s/u.test(title.slice(by.length))
  return [heading, sharedTitle].find(isBegun) ?? (title || sharedTitle || heading)
}

function trailHeading(trail: string[]): string {
  return trail.length > 0 ? `<h1>${escapeHtml(trail.join(' › '))}</h1>` : ''
}

/** Sections from structured data that the page does not show. */
function addedSections(facts: StructuredFacts, main: string): string {
  if (facts.questions.length === 0 && facts.products.length === 0) return ''
  const mainText = fold(textOf(main))
  return questionSections(facts, mainText) + productSections(facts, mainText)
}

/** Skips answers that the text already contains. */
function questionSections({ questions }: StructuredFacts, mainText: string): string {
  return questions
    .filter(({ answer }) => !mainText.includes(fold(textOf(answer)).slice(0, 200)))
    .map(({ question, answer }) => `<h2>${escapeHtml(question)}</h2><div>${answer}</div>`)
    .join('')
}

/** Skips facts that the text already contains. */
function productSections({ products }: StructuredFacts, mainText: string): string {
  return products
    .slice(0, 3)
    .map(({ name, facts }) => ({ name, facts: facts.filter((fact) => !mainText.includes(fold(fact))) }))
    .filter(({ facts }) => facts.length > 0)
    .map(
      ({ name, facts }) =>
        `<h2>${escapeHtml(name)}</h2><ul>${facts.map((f) => `<li>${escapeHtml(f)}</li>`).join('')}</ul>`,
    )
    .join('')
}

function textOf(html: string): string {
  return textOfBlocks(parseHtml(html))
}

function fold(text: string): string {
  return collapseSpaces(text.toLowerCase())
}

// Reads JSON-LD: questions and answers of an FAQ, product facts, breadcrumbs.
const DEEPEST_DATA = 12
const MAX_NODES = 5000

type Node = Record<string, unknown>

interface StructuredFacts {
  isArticle: boolean
  questions: { question: string /** May hold markup. */; answer: string }[]
  products: { name: string; facts: string[] }[]
  /** From the top of the site to the page's parent. */
  trail: string[]
}

function structuredFacts(data: unknown[]): StructuredFacts {
  const nodes: Node[] = []
  collect(data, nodes, 0)
  const ofType = (type: RegExp) => nodes.filter((node) => list(node['@type']).some((name) => type.test(String(name))))
  return {
    isArticle: ofType(/(^|\/)\w*Article$|BlogPosting$/).length > 0,
    questions: ofType(/(^|\/)Question$/).flatMap(readQuestion),
    products: ofType(/(^|\/)Product(Group)?$/).flatMap(readProduct),
    trail: readTrail(ofType(/(^|\/)BreadcrumbList$/)[0]),
  }
}

function collect(value: unknown, nodes: Node[], depth: number) {
  if (depth > DEEPEST_DATA || nodes.length >= MAX_NODES || typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) nodes.push(value as Node)
  for (const part of Object.values(value)) collect(part, nodes, depth + 1)
}

function readQuestion(node: Node): StructuredFacts['questions'] {
  const question = text(node.name)
  const answerNode = list(node.acceptedAnswer)[0] ?? list(node.suggestedAnswer)[0]
  const answer = text((answerNode as Node | undefined)?.text)
  return question && answer ? [{ question, answer }] : []
}

function readProduct(node: Node): StructuredFacts['products'] {
  const name = text(node.name)
  const offer = (list(node.offers)[0] ?? {}) as Node
  const rating = (list(node.aggregateRating)[0] ?? {}) as Node
  const price = text(offer.price) || text(offer.lowPrice)
  const reviews = text(rating.reviewCount) || text(rating.ratingCount)
  const availability = text(offer.availability).split('/').at(-1) ?? ''
  const facts = [
    fact('Price', price && `${price} ${text(offer.priceCurrency)}`.trim()),
    fact('Availability', availability.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()),
    fact('Brand', text((node.brand as Node | undefined)?.name) || text(node.brand)),
    fact('SKU', text(node.sku)),
    fact('Rating', text(rating.ratingValue) && `${text(rating.ratingValue)}${reviews && ` (${reviews} reviews)`}`),
  ].flat()
  return name && facts.length > 0 ? [{ name, facts }] : []
}

function readTrail(node: Node | undefined): string[] {
  const items = list(node?.itemListElement)
    .filter((item): item is Node => typeof item === 'object' && item !== null)
    .sort((a, b) => Number(a.position) - Number(b.position))
  const names = items.map((item) => text(item.name) || text((item.item as Node | undefined)?.name))
  // The first is the home page, the last the page itself.
  return names.slice(1, -1).filter(Boolean).slice(0, 5)
}

function fact(label: string, value: string): string[] {
  return value ? [`${label}: ${value}`] : []
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 20_000) : ''
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}
