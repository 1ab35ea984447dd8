// Answers that the company wrote itself, given word for word to questions that are close enough to their phrasings.
import { analyseQuestion } from '../language/analyse.ts'
import { expandChatSpelling } from '../language/chat-spelling.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { coverage, questionTerms, textWords } from './compose/question-terms.ts'
import { curatedConfidence } from './confidence/curated-confidence.ts'
import { roundConfidence } from './confidence/logistic.ts'
import { introduce } from './introduce.ts'
import { policy } from './policy.ts'
import type { Answer, BotVoice, CuratedAnswer, CuratedMatch, Knowledge } from './types.ts'

/** One in another language than the visitor's is introduced as such. */
export async function curatedAnswer(
  text: string,
  matches: CuratedMatch[],
  language: string,
  bot: BotVoice,
  knowledge: Knowledge,
): Promise<Answer | null> {
  const answer = await verbatimAnswer(text, matches, language, bot, knowledge)
  if (!answer) return null
  const ownLanguage = await detectLanguage(answer.text, language)
  return { ...answer, text: introduce({ text: answer.text, language: ownLanguage }, language, bot) }
}

/** Null if the question is not close enough to any of its phrasings. */
export async function verbatimAnswer(
  text: string,
  matches: CuratedMatch[],
  language: string,
  bot: BotVoice,
  knowledge: Knowledge,
): Promise<Answer | null> {
  const confidence = roundConfidence(curatedConfidence(matches))
  const [first] = matches
  if (!first || confidence < bot.thresholds.answer) return null
  const answer = await knowledge.loadCurated(first.id)
  if (!answer || (first.signals.vector === 0 && !sharesContent(text, language, answer))) return null
  const sources = answer.url ? [{ title: answer.question, url: answer.url }] : []
  return {
    text: answer.answer,
    sources,
    documentIds: [],
    confidence,
    answered: true,
    language,
    buttons: [],
    decision: 'curated',
  }
}

/** Also compares by meaning, if there are candidates. */
export async function findCuratedAnswer(text: string, language: string, bot: BotVoice, knowledge: Knowledge) {
  if (knowledge.matchCurated(text, language, undefined).length === 0) return null
  const matches = knowledge.matchCurated(text, language, await knowledge.embed(text))
  return curatedAnswer(text, matches, language, bot, knowledge)
}

/** "How long is the Nile?" resembles "How long is the warranty?" by words, so the content words must match too. */
export function sharesContent(
  text: string,
  language: string,
  { question, alternatives }: Pick<CuratedAnswer, 'question' | 'alternatives'>,
): boolean {
  const terms = questionTerms(analyseQuestion(text, language), () => 1)
  const phrasings = textWords(expandChatSpelling([question, ...alternatives].join('\n'), language), language)
  return terms.length === 0 || coverage(terms, phrasings) > policy.sharedContent
}
