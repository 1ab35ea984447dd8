// Finds a page's main content. Readability does so on articles; on other pages it often keeps only a fragment, so
// the whole main element is used instead, without navigation and banners.
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { isFrameNamed } from '../html/element-roles.ts'
import { attributesOf, unfoldSections } from './unfold-sections.ts'

// Below this share of the main element, Readability has found only a fragment.
const MIN_SHARE = 0.4
const MIN_SHARE_OF_MAIN = 0.8

const frame = [
  'nav, footer, aside, form, dialog, script, style, template, noscript, svg, iframe, button, select, [hidden]',
  'body > header, [aria-hidden="true"]',
  '[role="navigation"], [role="banner"], [role="contentinfo"], [role="dialog"], [role="alertdialog"], [role="search"]',
].join(', ')
const bannerNames = /cookie|consent|gdpr|breadcrumb|newsletter|social|\bshare|popup|modal|skip-?(link|to)|off-?canvas/i
const KEPT_ATTRIBUTES = new Set(['id', 'colspan', 'rowspan', 'start', 'value'])

export interface PageKind {
  isArticle: boolean
  /** Questions that the page answers, from its structured data. */
  questions: readonly string[]
}

/** Null when no readable text was found. */
export function mainContent(html: string, { isArticle, questions }: PageKind): string | null {
  const whole = parse(html)
  prepare(whole, questions)
  // An article with FAQ data is read like a help page.
  const wide = isArticle && questions.length === 0 ? null : wideContent(html, questions)
  const found = new Readability<Element>(whole, { serializer: (node) => node as Element }).parse()?.content
  if (wide && (!found || isFragment(found, wide))) return simplified(wide)
  return found ? simplified(found) : null
}

/** Unfolds collapsed sections and removes banners. */
function prepare(document: Document, questions: readonly string[]) {
  unfoldSections(document, questions)
  removeBanners(document)
}

/** Whether too little was found: sections or a large part of the text are missing. */
function isFragment(found: Element, wide: Element): boolean {
  // Without a main element, headings and text may belong to navigation.
  const isNamed = wide.tagName !== 'BODY'
  const titles = isNamed ? 'summary, dt, h1, h2, h3, h4' : 'summary, dt'
  const sections = (element: Element) => element.querySelectorAll(titles).length
  return (
    lengthOf(found) < (isNamed ? MIN_SHARE_OF_MAIN : MIN_SHARE) * lengthOf(wide) || sections(found) < sections(wide)
  )
}

function parse(html: string): Document {
  // Without a root element, linkedom uses the first element and drops the rest.
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`)
  return document
}

function wideContent(html: string, questions: readonly string[]): Element | null {
  const document = parse(html)
  prepare(document, questions)
  const mains = document.querySelectorAll('main, [role="main"]')
  const root = mains.length === 1 ? mains[0] : document.body
  if (!root) return null
  for (const element of root.querySelectorAll(frame)) element.remove()
  return root
}

function removeBanners(document: Document) {
  for (const element of document.querySelectorAll('[id], [class]')) {
    if (/^(html|body|main|article|h[1-6])$/i.test(element.tagName)) continue
    const name = `${element.id} ${element.getAttribute('class') ?? ''}`
    if (!bannerNames.test(name) && !isFrameNamed(attributesOf(element))) continue
    // An element with most of the page's text is not a banner, whatever its name.
    if (lengthOf(element) < 0.3 * lengthOf(document.documentElement)) element.remove()
  }
}

function lengthOf(element: Element): number {
  return (element.textContent ?? '').replace(/\s+/g, ' ').length
}

/** Keeps only structure, anchors and cell spans. */
function simplified(element: Element): string {
  for (const inner of [element, ...element.querySelectorAll('*')]) {
    for (const { name, value } of [...inner.attributes]) {
      // Readability's own id is not an anchor of the page.
      if (!KEPT_ATTRIBUTES.has(name) || value.startsWith('readability-page-')) inner.removeAttribute(name)
    }
  }
  return element.innerHTML
}
