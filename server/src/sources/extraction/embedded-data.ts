// The text in the data that a page carries for its scripts: JSON of frameworks (__NEXT_DATA__ and others), JSON-LD and
// microdata. Used for pages that are nearly empty without JavaScript.
import { escapeHtml } from '../html/escape-html.ts'

const DEEPEST = 40
const MAX_VALUES = 50_000
const LONGEST_TEXT = 300_000
const SHORTEST_PROSE = 20
const LONGEST_HEADING = 200

/** Keys whose text names the object that they are in. */
const HEADING_KEYS = ['headline', 'heading', 'title', 'question', 'name', 'label']
/** Keys of what is no content: identifiers, addresses, settings, texts of the interface. */
const IGNORED_NAMES =
  /^(?:[@_].*|id|type|kind|url|href|src|path|slug|uri|class|classname|style|key|token|hash|locale|query|css|svg|icon|alt|date|time|i18n|translations|messages|config|settings|env|runtimeconfig|buildmanifest|analytics|tracking|seo|meta|navigation|menu|footer|header)$/i
const IGNORED_ENDINGS = /(?:Id|Url|Href|Src|Path|Slug|Class|ClassName|Style|Key|Token|Hash|At|_id|_url|_path|_key|_at)$/

/** As simple HTML, in the order of the data, without what the page says already (in lower case). */
export function embeddedText(data: readonly unknown[], pageText: string): string {
  const parts: string[] = []
  const seenTexts = new Set<string>()
  let values = 0
  let length = 0

  function add(text: string): boolean {
    if (seenTexts.has(text) || length > LONGEST_TEXT || isKnown(text)) return false
    seenTexts.add(text)
    length += text.length
    parts.push(hasMarkup(text) ? `<div>${text}</div>` : `<p>${escapeHtml(text)}</p>`)
    return true
  }

  function isKnown(text: string): boolean {
    return pageText !== '' && pageText.includes(withoutMarkup(text).toLowerCase().replace(/\s+/g, ' ').trim())
  }

  /** Returns whether it added anything. */
  function walk(value: unknown, depth: number): boolean {
    if (depth > DEEPEST || ++values > MAX_VALUES) return false
    if (typeof value === 'string') return isProse(value.trim()) && add(value.trim())
    if (Array.isArray(value)) return value.map((part) => walk(part, depth + 1)).some(Boolean)
    if (typeof value !== 'object' || value === null) return false
    return walkObject(value as Record<string, unknown>, depth)
  }

  function walkObject(node: Record<string, unknown>, depth: number): boolean {
    const headingKey = HEADING_KEYS.find((key) => isHeading(node[key]))
    const at = parts.length
    let hasText = false
    for (const [key, value] of Object.entries(node)) {
      if (key === headingKey || IGNORED_NAMES.test(key) || IGNORED_ENDINGS.test(key)) continue
      if (walk(value, depth + 1)) hasText = true
    }
    const heading = headingKey === undefined ? '' : String(node[headingKey]).trim()
    // A name alone, as in a menu, is no content.
    if (hasText && heading && !seenTexts.has(heading)) {
      seenTexts.add(heading)
      parts.splice(at, 0, `<h2>${escapeHtml(heading)}</h2>`)
    }
    return hasText
  }

  for (const one of data) walk(one, 0)
  return parts.join('\n')
}

function isHeading(value: unknown): boolean {
  return typeof value === 'string' && value.trim().length > 0 && value.length <= LONGEST_HEADING && !hasMarkup(value)
}

/** Sentences rather than identifiers, addresses, styles or code. */
function isProse(text: string): boolean {
  if (text.length < SHORTEST_PROSE) return false
  const visible = withoutMarkup(text)
  const words = visible.match(/\p{L}{2,}/gu) ?? []
  const isSpaced = /\s/.test(visible.trim()) && words.length >= 4
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{10,}/u.test(visible)
  if (!isSpaced && !isUnspaced) return false
  // Bounded: a long run of letters must not be searched from each of them.
  const start = visible.trim().slice(0, 2000)
  return !/^[{[(]|=>|function\s*\(|;\s*}|\b[\w-]{1,40}\s{0,3}:\s{0,3}[\w#.%-]{1,60};|^data:|^https?:\S+$/.test(start)
}

function withoutMarkup(text: string): string {
  return hasMarkup(text) ? text.replace(/<[^<>]*>/g, ' ') : text
}

function hasMarkup(text: string): boolean {
  return /<\/?(?:p|div|h[1-6]|ul|ol|li|br|strong|em|b|i|a|table|span|section|article)\b[^<>]*>/i.test(text)
}
