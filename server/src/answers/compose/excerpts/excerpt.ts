// Renders a passage's units as text: prose, a list with its introduction, or matching table rows.
import { isSpaceless } from '../../../language/scripts.ts'
import type { Hit } from '../../types.ts'
import type { ScoredUnit } from '../units/score-units.ts'
import { bullet } from '../units/units.ts'
import { dependsOnPrevious } from './depends-on-previous.ts'
import { excerptList } from './excerpt-list.ts'
import { excerptProse } from './excerpt-prose.ts'

export interface Excerpt {
  hit: Hit
  text: string
  best: ScoredUnit | undefined
}

const longestChars = 1200
const introduces = /[:：]\s*$/

export function excerptOf(hit: Hit, units: ScoredUnit[], most: number): Excerpt {
  const best = units.reduce<ScoredUnit | undefined>(
    (top, unit) => (!top || unit.share > top.share ? unit : top),
    undefined,
  )
  if (!best) return { hit, text: '', best }
  const next = units[best.index + 1]
  const opensList =
    best.kind === 'sentence' && introduces.test(best.text) && next !== undefined && next.kind !== 'sentence'
  const text = best.kind !== 'sentence' || opensList ? listText(hit, units, best) : proseText(hit, units, best, most)
  return { hit, text: shorten(text), best }
}

function proseText({ passage }: Hit, units: ScoredUnit[], best: ScoredUnit, most: number): string {
  const chosen = excerptProse(units, best, passage.language, most)
  const gap = isSpaceless(passage.text) ? '' : ' '
  let text = ''
  chosen.forEach((unit, i) => {
    const before = chosen[i - 1]
    text += before === undefined ? '' : unit.index === before.index + 1 ? gap : ' … '
    text += unit.text
  })
  // Only the heading precedes the first sentence of a passage.
  const first = chosen[0]
  const heading = passage.headings.at(-1)
  return first?.index === 0 && heading && dependsOnPrevious(first.text, passage.language) ? `${heading}: ${text}` : text
}

function listText({ passage }: Hit, units: ScoredUnit[], best: ScoredUnit): string {
  const { introduction, items, omitted } = excerptList(units, best)
  const [only, another] = items
  if (only && !another && omitted > 0) {
    const text = only.text.replace(bullet, '')
    if (isSentence(text)) return text
    // A table row means little without the table's subject.
    const about =
      introduction && introduces.test(introduction.text)
        ? introduction.text.replace(introduces, '')
        : passage.headings.at(-1)
    return about ? `${about} – ${text}` : text
  }
  const heading = passage.headings.at(-1)
  const opening = introduction?.text ?? (heading && /[\p{L}\p{N}]$/u.test(heading) ? `${heading}:` : heading)
  return [...(opening ? [opening] : []), ...items.map((unit) => unit.text)].join('\n')
}

const isSentence = (text: string): boolean => /[.!。！]["”)]*$/.test(text)

function shorten(text: string): string {
  if (text.length <= longestChars) return text
  const cut = text.slice(0, longestChars)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longestChars * 0.8))} …`
}
