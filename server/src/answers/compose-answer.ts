// The direct answer: the best sentence of the best passages with what belongs to it, and the pages it came from.
import { sentences } from '../language/sentences.ts'
import { words } from '../language/words.ts'
import type { BotVoice, Hit, Passage, Source } from './types.ts'

const SENTENCES = 3
const SOURCES = 5
const LIST_LINES = 8
// Passages that score far below the best one do not speak to the question.
const CLOSE = 0.6

export function composeAnswer(question: string, hits: Hit[], bot: BotVoice): { text: string; sources: Source[] } {
  const best = hits[0]?.score ?? 0
  const close = hits.filter((hit) => hit.score >= best * CLOSE)
  const asked = new Set(words(question, bot.language))
  const lead = close[0]?.passage
  return { text: lead ? excerpt(lead, asked) : '', sources: sourcesOf(close, bot) }
}

/** The sentence that shares most with the question and its neighbours, or the list it stands in. */
function excerpt(passage: Passage, asked: Set<string>): string {
  const all = sentences(passage.text, passage.language)
  const scores = all.map((sentence) => overlap(sentence, asked, passage.language))
  const bestIndex = scores.indexOf(Math.max(...scores))
  if (isItem(all[bestIndex] ?? '')) return listAround(all, bestIndex)
  const end = Math.min(all.length, bestIndex + SENTENCES)
  const chosen = all.slice(bestIndex, end)
  const untilList = chosen.findIndex(isItem)
  return (untilList > 0 ? chosen.slice(0, untilList) : chosen).join(' ')
}

function listAround(all: string[], index: number): string {
  let start = index
  while (start > 0 && isItem(all[start - 1] ?? '')) start--
  let end = index + 1
  while (end < all.length && isItem(all[end] ?? '')) end++
  const introduction = start > 0 ? [all[start - 1] ?? ''] : []
  const from = Math.max(start, Math.min(index - 2, end - LIST_LINES))
  return [...introduction, ...all.slice(from, Math.min(end, from + LIST_LINES))].join('\n')
}

function isItem(line: string): boolean {
  return /^(-|\d+[.)])\s|\s\|\s/.test(line)
}

function overlap(sentence: string, asked: Set<string>, language: string): number {
  let shared = 0
  for (const word of new Set(words(sentence, language))) if (asked.has(word)) shared++
  return shared
}

function sourcesOf(hits: Hit[], bot: BotVoice): Source[] {
  const sources = new Map<string, Source>()
  for (const { passage } of hits) {
    const url = passage.url ?? bot.siteUrl
    if (!sources.has(passage.documentId)) sources.set(passage.documentId, { title: passage.title, url })
  }
  return [...sources.values()].slice(0, SOURCES)
}
