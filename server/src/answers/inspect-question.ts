// What retrieval finds for a question, and the confidence of the answer a visitor would get.
import { detectLanguage } from '../language/detect/detect.ts'
import { answerQuestion } from './answer-question.ts'
import { findHits, type SearchResult } from './find-hits.ts'
import type { BotVoice, Hit, Knowledge } from './types.ts'

export async function inspectQuestion(
  question: string,
  bot: BotVoice,
  knowledge: Knowledge,
  limit: number,
): Promise<{ hits: Hit[]; confidence: number }> {
  let looked: SearchResult | undefined
  const { confidence } = await answerQuestion(question, [], bot, knowledge, undefined, (found) => {
    looked = found
  })
  const found = looked ?? (await findHits(question, await detectLanguage(question, bot.language), [], knowledge))
  const unread = found.ranking.slice(found.hits.length, limit)
  return { hits: [...found.hits, ...(await knowledge.read(unread))].slice(0, limit), confidence }
}
