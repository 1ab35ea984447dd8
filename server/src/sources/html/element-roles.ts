// Classifies elements by name and attributes: page frame, or title of a collapsible section.

type Attributes = Record<string, string | undefined>

const FRAME_TAGS = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'footer',
  'head',
  'title',
  'iframe',
])
const INPUT_TAGS = new Set(['form', 'select', 'button', 'dialog'])
const FRAME_ROLES = new Set(['navigation', 'search', 'dialog', 'alertdialog', 'tooltip'])
const WHOLE_PAGES = new Set(['html', 'body', 'main', 'article'])

// Whole class names and ids only: "toc" is a table of contents, "has-toc" the page around one.
const FRAME_NAMES = new RegExp(
  `^(?:${[
    'breadcrumbs?(?:[-_]*(?:nav|list|trail|container|wrapper))?',
    'cookie[-_]*(?:banner|bar|consent|notice|popup|dialog|law[-_]*info[-_]*bar)',
    'toc|table[-_]*of[-_]*contents?|(?:on|in)[-_]*this[-_]*(?:page|article)|page[-_]*toc|article[-_]*toc',
    'pagination|pager|prev[-_]*next|(?:post|article|page|doc)s?[-_]*(?:navigation|nav|pagination|footer[-_]*nav)',
    '(?:see[-_]*also|related)(?:[-_]*(?:articles?|pages?|posts?|topics?|links?|content|questions?))?',
    '(?:article|page)[-_]*(?:relatives|votes?|feedback|rating|helpful)|was[-_]*this[-_]*helpful|helpful(?:ness)?[-_]*(?:widget|form|vote)?',
    'skip[-_]*(?:link|to[-_]*content|nav)s?|back[-_]*to[-_]*top|edit[-_]*this[-_]*page',
  ].join('|')})$`,
  'i',
)

export function isFrame(name: string, attributes: Attributes): boolean {
  if (FRAME_TAGS.has(name) || INPUT_TAGS.has(name)) return true
  if (FRAME_ROLES.has(attributes.role ?? '')) return true
  return !WHOLE_PAGES.has(name) && !/^h[1-6]$/.test(name) && isFrameNamed(attributes)
}

/** Whether class, id or label mark it as breadcrumbs, related articles, feedback and so on. */
export function isFrameNamed(attributes: Attributes): boolean {
  if (/^(?:breadcrumbs?|pagination|table of contents)$/i.test(attributes['aria-label'] ?? '')) return true
  return names(attributes).some((token) => FRAME_NAMES.test(token))
}

// "faq-question", "accordion__title", "schema-faq-question", "et_pb_toggle_title", "collapsible-header".
const FOLD_NAMES = /(?:accordion|faq|collaps|toggle|expand|question)/i
const TITLE_NAMES = /(?:question|title|header|heading|trigger|button|label|toggle|summary)(?:[-_]*(?:text|inner))?$/i
const OTHER_ROLES = new Set(['tab', 'menuitem', 'combobox', 'switch', 'checkbox', 'radio', 'option'])
const FOLD_TAGS = new Set(['button', 'a', 'div', 'span', 'p', 'strong', 'b', 'label', 'li'])

/** Whether it is the title of a collapsible section: an accordion's button, or a question of an FAQ. */
export function isSectionTitle(name: string, attributes: Attributes, inQuestion: boolean): boolean {
  if (name === 'summary' || name === 'caption') return true
  if (inQuestion && attributes.itemprop === 'name') return true
  if (!FOLD_TAGS.has(name) || OTHER_ROLES.has(attributes.role ?? '') || attributes['aria-haspopup']) return false
  if (attributes['aria-controls'] && attributes['aria-expanded']) return true
  const unfolds = attributes['data-bs-toggle'] ?? attributes['data-toggle']
  if (unfolds === 'collapse') return true
  return names(attributes).some((token) => FOLD_NAMES.test(token) && TITLE_NAMES.test(token))
}

export function isQuestionItem({ itemtype }: Attributes): boolean {
  return /\/Question$/.test(itemtype ?? '')
}

function names({ id = '', class: classes = '' }: Attributes): string[] {
  if (id === '' && classes === '') return []
  return `${classes} ${id}`.slice(0, 1000).split(/\s+/)
}
