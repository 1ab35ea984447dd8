// Finds a page's main content. Readability does so on articles; on other pages it often keeps only a fragment, so
// the whole main element is used instead, without navigation and banners.
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { collapseSpaces } from '../../language/fold.ts'
import { isFrameNamed, isQuestionItem, isSectionTitle } from '../html/element-roles.ts'

// Below this share of the main element, Readability has found only a fragment.
const MIN_SHARE = 0.4
const MIN_SHARE_OF_MAIN = 0.8

const FRAME = [
  'nav, footer, aside, form, dialog, script, style, template, noscript, svg, iframe, button, select, [hidden]',
  'body > header, [aria-hidden="true"]',
  '[role="navigation"], [role="banner"], [role="contentinfo"], [role="dialog"], [role="alertdialog"], [role="search"]',
].join(', ')
const BANNER_NAMES = /cookie|consent|gdpr|breadcrumb|newsletter|social|\bshare|popup|modal|skip-?(link|to)|off-?canvas/i
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
  const readableContent = new Readability<Element>(whole, { serializer: (node) => node as Element }).parse()?.content
  if (wide && (!readableContent || isFragment(readableContent, wide))) return simplify(wide)
  return readableContent ? simplify(readableContent) : null
}

/** Unfolds collapsed sections and removes banners and links above the title. */
function prepare(document: Document, questions: readonly string[]) {
  unfoldSections(document, questions)
  removeBanners(document)
  removeLinksAboveTitle(document)
}

/** "← All articles" says nothing of the page. */
function removeLinksAboveTitle(document: Document) {
  const linksAndTitle = [...document.querySelectorAll('a, h1')]
  const linksAbove = linksAndTitle.slice(
    0,
    Math.max(
      0,
      linksAndTitle.findIndex(({ tagName }) => tagName === 'H1'),
    ),
  )
  for (const link of linksAbove) {
    if (link.querySelector('h1')) continue
    let block: Element = link
    while (block.parentElement && fold(block.parentElement.textContent ?? '') === fold(link.textContent ?? ''))
      block = block.parentElement
    // A link within a sentence belongs to the text.
    if (block !== link) block.remove()
  }
}

/** Whether too little was found: sections or a large part of the text are missing. */
function isFragment(element: Element, wide: Element): boolean {
  // Without a main element, headings and text may belong to navigation.
  const isNamed = wide.tagName !== 'BODY'
  const titles = isNamed ? 'summary, dt, h1, h2, h3, h4' : 'summary, dt'
  const sections = (element: Element) => element.querySelectorAll(titles).length
  return (
    lengthOf(element) < (isNamed ? MIN_SHARE_OF_MAIN : MIN_SHARE) * lengthOf(wide) || sections(element) < sections(wide)
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
  for (const element of root.querySelectorAll(FRAME)) element.remove()
  return root
}

function removeBanners(document: Document) {
  for (const element of document.querySelectorAll('[id], [class]')) {
    if (/^(html|body|main|article|h[1-6])$/i.test(element.tagName)) continue
    const name = `${element.id} ${element.getAttribute('class') ?? ''}`
    if (!BANNER_NAMES.test(name) && !isFrameNamed(attributesOf(element))) continue
    // An element with most of the page's text is not a banner, whatever its name.
    if (lengthOf(element) < 0.3 * lengthOf(document.documentElement)) element.remove()
  }
}

function lengthOf(element: Element): number {
  return (element.textContent ?? '').replace(/\s+/g, ' ').length
}

/** Keeps only structure, anchors and cell spans. */
function simplify(element: Element): string {
  for (const inner of [element, ...element.querySelectorAll('*')]) {
    for (const { name, value } of [...inner.attributes]) {
      // Readability's own id is not an anchor of the page.
      if (!KEPT_ATTRIBUTES.has(name) || value.startsWith('readability-page-')) inner.removeAttribute(name)
    }
  }
  return element.innerHTML
}

// Makes collapsed content visible: titles of accordions and tabs become <summary> elements, which are read as
// headings, and their panels are shown.
const LONGEST_TITLE = 300
const UNFOLDED_FRAME =
  'nav, footer, [role="navigation"], [role="menu"], [role="menubar"], [role="banner"], body > header'
const PANELS = [
  '[role="tabpanel"]',
  '.tab-pane, .tab-content, .tabs-panel, .tabs__panel',
  '[class*="accordion"], [class*="collaps"], [class*="faq"], [class*="toggle-content"], [class*="toggle_content"]',
  '[itemprop="acceptedAnswer"], [itemprop="suggestedAnswer"]',
].join(', ')
const HEADINGS = 'h1, h2, h3, h4, h5, h6'

function unfoldSections(document: Document, questions: readonly string[]) {
  for (const panel of document.querySelectorAll(PANELS)) show(panel)
  // Readability drops headings with names such as "accordion-header".
  for (const heading of document.querySelectorAll(HEADINGS)) {
    heading.removeAttribute('class')
    for (const button of heading.querySelectorAll('button, a[aria-expanded]')) {
      showPanelOf(document, button)
      button.replaceWith(...button.childNodes)
    }
  }
  for (const tab of document.querySelectorAll('[role="tab"]')) unfoldTab(document, tab)
  for (const element of titlesOf(document, questions)) unfoldTitle(document, element)
}

function titlesOf(document: Document, questions: readonly string[]): Element[] {
  const questionTexts = new Set(questions.map(fold))
  const isTitle = (element: Element) =>
    isSectionTitle(element.tagName.toLowerCase(), attributesOf(element), isInQuestion(element)) ||
    (questionTexts.size > 0 && element.childElementCount <= 3 && questionTexts.has(fold(shortText(element))))
  return [...document.querySelectorAll('button, a, div, span, p, strong, b, label, li, [itemprop="name"]')].filter(
    (element) => shortText(element) !== '' && isTitle(element) && !element.closest(UNFOLDED_FRAME),
  )
}

function unfoldTitle(document: Document, element: Element) {
  // It may have been removed together with a title around it.
  if (!element.parentElement || element.closest(`summary, dt, ${HEADINGS}`)) return
  if (element.querySelector(`${HEADINGS}, summary, p ~ p, ul, ol, table`)) return
  showPanelOf(document, element)
  const outermost = aroundSameText(element)
  const title = document.createElement('summary')
  title.textContent = shortText(element)
  const id = element.id || outermost.id
  if (id) title.id = id
  if (outermost.nextElementSibling) show(outermost.nextElementSibling)
  outermost.replaceWith(title)
}

function unfoldTab(document: Document, tab: Element) {
  const panel =
    byId(document, tab.getAttribute('aria-controls')) ??
    byId(document, /^#(.+)$/.exec(tab.getAttribute('href') ?? '')?.[1]) ??
    [...document.querySelectorAll('[aria-labelledby]')].find(
      (element) => tab.id !== '' && element.getAttribute('aria-labelledby') === tab.id,
    )
  if (panel && !panel.contains(tab)) {
    const title = document.createElement('summary')
    title.textContent = shortText(tab)
    show(panel)
    panel.prepend(title)
  }
  tab.remove()
}

function showPanelOf(document: Document, trigger: Element) {
  const target = trigger.getAttribute('aria-controls') ?? trigger.getAttribute('data-bs-target') ?? ''
  const panel = byId(document, target.replace(/^#/, '')) ?? trigger.nextElementSibling
  if (panel) show(panel)
}

function show(element: Element) {
  for (const name of ['hidden', 'aria-hidden', 'style']) element.removeAttribute(name)
}

function aroundSameText(element: Element): Element {
  let outermost = element
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (/^(?:body|main|article|li|details|dl|h[1-6])$/i.test(around.tagName)) break
    if (collapseSpaces(around.textContent ?? '') !== collapseSpaces(element.textContent ?? '')) break
    outermost = around
  }
  return outermost
}

function isInQuestion(element: Element): boolean {
  const item = element.parentElement?.closest('[itemtype]')
  return item ? isQuestionItem(attributesOf(item)) : false
}

function attributesOf(element: Element): Record<string, string> {
  return Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
}

function byId(document: Document, id: string | null | undefined): Element | null {
  return id ? document.getElementById(id) : null
}

/** Empty if too long for a title. */
function shortText(element: Element): string {
  const text = collapseSpaces(element.textContent ?? '')
  return text.length <= LONGEST_TITLE ? text : ''
}

function fold(text: string): string {
  return collapseSpaces(text).toLowerCase()
}
