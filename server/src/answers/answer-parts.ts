// "Can it be cancelled, and what does that cost?" asks two things: each part is looked up separately, later parts as
// follow-ups to earlier ones.
import { type ComposedAnswer, composeAnswer, MAX_SOURCES } from './compose/compose-answer.ts'
import { questionParts } from './compose/question-shape.ts'
import { confidenceOf } from './confidence/page-confidence.ts'
import { sentencesFor } from './fall-back.ts'
import { findHits } from './find-hits.ts'
import type { BotVoice, Knowledge, Source, Turn } from './types.ts'
import { isSelfContained } from './understand/dependence.ts'

const PART_OF_LIST = /^\s*(?:[-•*|]|\d+[.)])/

interface PartsAnswer {
  composed: ComposedAnswer
  confidence: number
}

/** Null for a single-part question, or if no part has an answer of its own. A part without one is named as unknown. */
export async function answerParts(
  question: string,
  language: string,
  history: Turn[],
  bot: BotVoice,
  knowledge: Knowledge,
): Promise<PartsAnswer | null> {
  const parts = questionParts(question, language)
  if (parts.length < 2) return null
  const partAnswers: PartsAnswer[] = []
  const unknownParts: string[] = []
  let earlier = history
  for (const part of parts) {
    const { question: partQuestion, hits } = await findHits(part, language, earlier, knowledge)
    // The parts after one that stands alone are about it, not about what was said before.
    earlier = [...(isSelfContained(part, language) ? [] : earlier), { role: 'user', text: part }]
    const composed = composeAnswer(partQuestion, hits, bot.siteUrl)
    const confidence = confidenceOf(partQuestion, hits, composed)
    if (confidence >= bot.thresholds.suggest) partAnswers.push({ composed, confidence })
    else unknownParts.push(part)
  }
  const texts = withoutRepeated(partAnswers.map(({ composed }) => composed.text))
  const isSure = partAnswers.every(({ confidence }) => confidence >= bot.thresholds.answer)
  // A doubtful answer to one part is no reason to say that there is none to the other.
  if (partAnswers.length === 0 || (unknownParts.length > 0 && !isSure)) return null
  if (texts.length < 2 && unknownParts.length === 0) return null
  const notes = unknownParts.map((part) => unknownPart(part, language, bot))
  return {
    composed: {
      text: [...texts, ...notes].join('\n\n'),
      sources: distinct(partAnswers.flatMap(({ composed }) => composed.sources)),
      used: partAnswers.flatMap(({ composed }) => composed.used),
      best: undefined,
    },
    confidence: Math.min(...partAnswers.map(({ confidence }) => confidence)),
  }
}

/** Which of two questions has no answer. */
export function unknownPart(part: string, language: string, bot: BotVoice): string {
  return sentencesFor(bot, language).partUnknown.replace('{part}', () => part.replace(/[?？؟\s]+$/u, ''))
}

/** What a part has said already is left out of the next; some rows and items may be alike. */
export function withoutRepeated(texts: string[]): string[] {
  const ownLines = texts.map((text, at) => {
    const before = texts.slice(0, at).flatMap((other) => other.split('\n'))
    const lines = text.split('\n')
    const isSameList = lines.filter((line) => PART_OF_LIST.test(line)).every((line) => before.includes(line))
    const mayRepeat = (line: string) => line === '' || (PART_OF_LIST.test(line) && !isSameList)
    return lines.filter((line) => mayRepeat(line) || !before.includes(line))
  })
  const ownTexts = ownLines.map((lines) => lines.join('\n').trim())
  const isWithin = (text: string, at: number) => (other: string, place: number) =>
    place !== at && other.includes(text) && (place < at || other !== text)
  return ownTexts.filter((text, at) => text !== '' && !ownTexts.some(isWithin(text, at)))
}

function distinct(sources: Source[]): Source[] {
  return [...new Map(sources.map((source) => [source.url, source])).values()].slice(0, MAX_SOURCES)
}
