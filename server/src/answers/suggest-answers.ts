// Answers for an agent to choose from: what the bot would say, then what the next passages say. Also those that the bot
// is not sure enough of, without the hedge that visitors would read.
import { answerQuestion } from './answer-question.ts'
import { composeAnswer } from './compose/compose-answer.ts'
import type { SearchResult } from './find-hits.ts'
import { policy } from './policy.ts'
import type { Answer, BotVoice, Hit, Knowledge, Source, Turn } from './types.ts'

interface SuggestedAnswer {
  text: string
  sources: Source[]
  /** Null for what the bot would not say itself. */
  confidence: number | null
}

// Without a reader, a passage must have this share of the question's words.
const SHARED_WORDS = 0.5

export async function suggestAnswers(
  question: string,
  history: Turn[],
  bot: BotVoice,
  knowledge: Knowledge,
  limit: number,
): Promise<{ answers: SuggestedAnswer[]; hits: Hit[] }> {
  let searchResult: SearchResult | undefined
  const answer = await answerQuestion(question, history, bot, knowledge, undefined, (result) => {
    searchResult = result
  })
  const answers: SuggestedAnswer[] = []
  const add = (one: SuggestedAnswer) => {
    const isNew = !answers.some(({ text }) => text.includes(one.text) || one.text.includes(text))
    if (one.text && isNew && answers.length < limit) answers.push(one)
  }
  if (isSure(answer)) add(answer)
  if (!searchResult) return { answers, hits: [] }
  const hits = searchResult.hits.filter(mayAnswer)
  if (hits.length > 0 && answer.decision === 'suggest')
    add({ ...composeAnswer(searchResult.question, hits, bot.siteUrl), confidence: answer.confidence })
  for (const hit of hits) {
    const { text, sources } = composeAnswer(searchResult.question, [hit], bot.siteUrl)
    add({ text, sources, confidence: null })
  }
  return { answers: answers.map(({ text, sources, confidence }) => ({ text, sources, confidence })), hits }
}

function isSure({ answered, decision }: Answer): boolean {
  return answered && (decision === 'answer' || decision === 'curated' || decision === 'product')
}

function mayAnswer({ reading, signals }: Hit): boolean {
  return reading ? reading.relevance >= policy.secondRelevance : signals.coverage >= SHARED_WORDS
}
