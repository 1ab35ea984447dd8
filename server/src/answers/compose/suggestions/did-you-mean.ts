// Topics offered when the bot is unsure: headings of the other passages it found.

import type { Hit } from '../../types.ts'
import { isSuggestable } from './is-suggestable.ts'
import type { NextQuestion } from './next-questions.ts'

// Passages below this share of the first hit's score are not suggested.
const nearScore = 0.6

export function didYouMean(used: readonly Hit[], hits: readonly Hit[], limit = 3): NextQuestion[] {
  const lead = used[0]
  if (!lead) return []
  const topics = new Map<string, NextQuestion>()
  const shown = new Set(used.map(labelOf))
  for (const hit of hits) {
    const label = labelOf(hit)
    const fits = isSuggestable(label) && !shown.has(label) && hit.score >= lead.score * nearScore
    if (!fits || topics.has(label) || hit.passage.language !== lead.passage.language) continue
    const { title } = hit.passage
    topics.set(label, { label, message: label === title || /[?？؟]\s*$/.test(label) ? label : `${label} (${title})` })
    if (topics.size === limit) break
  }
  return [...topics.values()]
}

const labelOf = ({ passage }: Hit): string => (passage.headings.at(-1) ?? passage.title).trim()
