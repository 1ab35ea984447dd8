// "Can it be cancelled, and what does that cost?" asks two things: each part is looked up separately, later parts as
// follow-ups to earlier ones.
import { MAX_SOURCES } from './compose/collect-sources.ts'
import { type ComposedAnswer, composeAnswer } from './compose/compose-answer.ts'
import { questionParts } from './compose/question-parts.ts'
import { confidenceOf } from './confidence/confidence.ts'
import { findHits } from './find-hits.ts'
import type { BotVoice, Knowledge, Source, Turn } from './types.ts'

export interface PartsAnswer {
  composed: ComposedAnswer
  confidence: number
}

/** Null for a single-part question, if one section answers all parts, or if a part has no answer. */
export async function answerParts(
  question: string,
  language: string,
  history: Turn[],
  bot: BotVoice,
  knowledge: Knowledge,
): Promise<PartsAnswer | null> {
  const parts = questionParts(question, language)
  if (parts.length < 2) return null
  const answers: PartsAnswer[] = []
  for (const [at, part] of parts.entries()) {
    const before = parts.slice(0, at).map((text): Turn => ({ role: 'user', text }))
    const { question: asked, hits } = await findHits(part, language, [...history, ...before], knowledge)
    const composed = composeAnswer(asked, hits.slice(0, 1), bot.siteUrl)
    const confidence = confidenceOf(asked, hits, composed)
    if (confidence < bot.thresholds.suggest) return null
    answers.push({ composed, confidence })
  }
  const used = answers.flatMap(({ composed }) => composed.used)
  if (new Set(used.map(({ passage }) => passage.id)).size < parts.length) return null
  return {
    composed: {
      text: answers.map(({ composed }) => composed.text).join('\n\n'),
      sources: distinct(answers.flatMap(({ composed }) => composed.sources)),
      used,
      best: undefined,
    },
    confidence: Math.min(...answers.map(({ confidence }) => confidence)),
  }
}

function distinct(sources: Source[]): Source[] {
  return [...new Map(sources.map((source) => [source.url, source])).values()].slice(0, MAX_SOURCES)
}
