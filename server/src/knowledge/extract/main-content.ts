// The part of a page that a reader came for. Readability finds it on articles; on pages of other kinds it often keeps
// one corner only, so there the whole main element is taken, without what frames it.
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

// Below this share of the main element Readability has chosen a corner.
const LEAST_SHARE = 0.4

const frame = [
  'nav, footer, aside, form, dialog, script, style, template, noscript, svg, iframe, button, select, [hidden]',
  'body > header, [aria-hidden="true"]',
  '[role="navigation"], [role="banner"], [role="contentinfo"], [role="dialog"], [role="alertdialog"], [role="search"]',
].join(', ')
const frameNames = /cookie|consent|gdpr|breadcrumb|newsletter|social|\bshare|popup|modal|skip-?(link|to)|off-?canvas/i
const KEPT_ATTRIBUTES = new Set(['id', 'colspan', 'rowspan'])

/** Null when nothing that reads like a text was found. */
export function mainContent(html: string, isArticle: boolean): string | null {
  const whole = parse(html)
  removeBanners(whole)
  const wide = isArticle ? null : wideContent(html)
  const found = new Readability<Element>(whole, { serializer: (node) => node as Element }).parse()?.content
  if (wide && (!found || lengthOf(found) < LEAST_SHARE * lengthOf(wide))) return simplified(wide)
  return found ? simplified(found) : null
}

function parse(html: string): Document {
  // Without a root of its own, linkedom takes the first element for it and drops the rest.
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`)
  return document
}

function wideContent(html: string): Element | null {
  const document = parse(html)
  removeBanners(document)
  const mains = document.querySelectorAll('main, [role="main"]')
  const root = mains.length === 1 ? mains[0] : document.body
  if (!root) return null
  for (const element of root.querySelectorAll(frame)) element.remove()
  return root
}

function removeBanners(document: Document) {
  for (const element of document.querySelectorAll('[id], [class]')) {
    const name = `${element.id} ${element.getAttribute('class') ?? ''}`
    if (!frameNames.test(name) || /^(html|body|main|article|h[1-6])$/i.test(element.tagName)) continue
    // What holds most of the page is no banner, whatever it is called.
    if (lengthOf(element) < 0.3 * lengthOf(document.documentElement)) element.remove()
  }
}

function lengthOf(element: Element): number {
  return (element.textContent ?? '').replace(/\s+/g, ' ').length
}

/** Only what is read again: structure, anchors, and how far cells reach. */
function simplified(element: Element): string {
  for (const inner of [element, ...element.querySelectorAll('*')]) {
    for (const { name, value } of [...inner.attributes]) {
      // Readability's own name for what it found is no anchor of the page.
      if (!KEPT_ATTRIBUTES.has(name) || value.startsWith('readability-page-')) inner.removeAttribute(name)
    }
  }
  return element.innerHTML
}
