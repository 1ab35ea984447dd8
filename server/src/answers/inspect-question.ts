// What retrieval finds for a question and how sure the engine would be, without answering it.
import { detectLanguage } from '../language/detect.ts'
import { composeAnswer } from './compose/compose-answer.ts'
import { confidenceOf } from './confidence/confidence.ts'
import { findHits } from './find-hits.ts'
import type { BotVoice, Hit, Knowledge } from './types.ts'

export async function inspectQuestion(
  question: string,
  bot: Pick<BotVoice, 'language' | 'siteUrl'>,
  knowledge: Knowledge,
  limit: number,
): Promise<{ hits: Hit[]; confidence: number }> {
  const found = await findHits(question, await detectLanguage(question, bot.language), [], knowledge, limit)
  const composed = composeAnswer(found.question, found.hits, bot.siteUrl)
  return { hits: found.hits.slice(0, limit), confidence: confidenceOf(found.question, found.hits, composed) }
}
