// What retrieval finds for a question, and the confidence of the answer a visitor would get.
import { detectLanguage } from '../language/detect-language.ts'
import { answerQuestion } from './answer-question.ts'
import { findHits, type SearchResult } from './find-hits.ts'
import type { BotVoice, Hit, Knowledge } from './types.ts'

export async function inspectQuestion(
  question: string,
  bot: BotVoice,
  knowledge: Knowledge,
  limit: number,
): Promise<{ hits: Hit[]; confidence: number }> {
  let answerSearch: SearchResult | undefined
  const { confidence } = await answerQuestion(question, [], bot, knowledge, undefined, (result) => {
    answerSearch = result
  })
  const searchResult =
    answerSearch ?? (await findHits(question, await detectLanguage(question, bot.language), [], knowledge))
  const unread = searchResult.ranking.slice(searchResult.hits.length, limit)
  return { hits: [...searchResult.hits, ...(await knowledge.load(unread))].slice(0, limit), confidence }
}
