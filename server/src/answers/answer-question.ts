// A question and its history into an answer with its sources, or the fallback when nothing fits.
import { composeAnswer } from './compose-answer.ts'
import { confidenceOf } from './confidence.ts'
import { fallbackSentence } from './fallback.ts'
import { resolveFollowUp } from './follow-up.ts'
import type { Answer, BotVoice, Retrieve, Turn } from './types.ts'

const LEAST_CONFIDENCE = 0.35

export async function answerQuestion(
  question: string,
  history: Turn[],
  bot: BotVoice,
  retrieve: Retrieve,
): Promise<Answer> {
  const wanted = resolveFollowUp(question, history, bot.language)
  const hits = await retrieve(wanted)
  const confidence = confidenceOf(hits)
  if (confidence < LEAST_CONFIDENCE) {
    return { text: bot.fallbackMessage ?? fallbackSentence(bot.language), sources: [], confidence, answered: false }
  }
  const { text, sources } = composeAnswer(wanted, hits, bot)
  return { text, sources, confidence, answered: true }
}
