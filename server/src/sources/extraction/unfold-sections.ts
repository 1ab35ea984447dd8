// Makes collapsed content visible: titles of accordions and tabs become <summary> elements, which are read as
// headings, and their panels are shown.
import { isQuestionItem, isSectionTitle } from '../html/element-roles.ts'

const LONGEST_TITLE = 300
const frame = 'nav, footer, [role="navigation"], [role="menu"], [role="menubar"], [role="banner"], body > header'
const panels = [
  '[role="tabpanel"]',
  '.tab-pane, .tab-content, .tabs-panel, .tabs__panel',
  '[class*="accordion"], [class*="collaps"], [class*="faq"], [class*="toggle-content"], [class*="toggle_content"]',
  '[itemprop="acceptedAnswer"], [itemprop="suggestedAnswer"]',
].join(', ')
const headings = 'h1, h2, h3, h4, h5, h6'

export function unfoldSections(document: Document, questions: readonly string[]) {
  for (const panel of document.querySelectorAll(panels)) show(panel)
  // Readability drops headings with names such as "accordion-header".
  for (const heading of document.querySelectorAll(headings)) {
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
  const asked = new Set(questions.map(fold))
  const isTitle = (element: Element) =>
    isSectionTitle(element.tagName.toLowerCase(), attributesOf(element), isInQuestion(element)) ||
    (asked.size > 0 && element.childElementCount <= 3 && asked.has(fold(shortText(element))))
  return [...document.querySelectorAll('button, a, div, span, p, strong, b, label, li, [itemprop="name"]')].filter(
    (element) => shortText(element) !== '' && isTitle(element) && !element.closest(frame),
  )
}

function unfoldTitle(document: Document, element: Element) {
  // It may have been removed together with a title around it.
  if (!element.parentElement || element.closest(`summary, dt, ${headings}`)) return
  if (element.querySelector(`${headings}, summary, p ~ p, ul, ol, table`)) return
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
    if (tidy(around.textContent ?? '') !== tidy(element.textContent ?? '')) break
    outermost = around
  }
  return outermost
}

function isInQuestion(element: Element): boolean {
  const item = element.parentElement?.closest('[itemtype]')
  return item ? isQuestionItem(attributesOf(item)) : false
}

export function attributesOf(element: Element): Record<string, string> {
  return Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
}

function byId(document: Document, id: string | null | undefined): Element | null {
  return id ? document.getElementById(id) : null
}

/** Empty if too long for a title. */
function shortText(element: Element): string {
  const text = tidy(element.textContent ?? '')
  return text.length <= LONGEST_TITLE ? text : ''
}

function fold(text: string): string {
  return tidy(text).toLowerCase()
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
