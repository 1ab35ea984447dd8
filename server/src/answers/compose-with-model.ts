// Words an answer with a language model, citing its sources; null if the model failed, so that the composer takes over.
import { collectSources } from './compose/compose-answer.ts'
import { nextQuestions } from './compose/suggestions.ts'
import { fallBack, replyButtons } from './fall-back.ts'
import type { SearchResult } from './find-hits.ts'
import type { ModelPassage } from './language-model/types.ts'
import type { Answer, BotVoice, GenerateAnswer, Hit, Turn } from './types.ts'

const PASSAGES = 6

export async function composeWithModel(
  { question, followUp, hits }: SearchResult,
  confidence: number,
  history: Turn[],
  bot: BotVoice,
  generateAnswer: GenerateAnswer,
): Promise<Answer | null> {
  const { language } = question
  const said = await generateAnswer({
    // The history is sent along, so the visitor's own words suffice.
    question: followUp.text,
    language,
    history: history.flatMap(({ role, text, isPrivate }) => (isPrivate ? [] : [{ role, text }])),
    passages: hits.slice(0, PASSAGES).map(toPassage),
    bot: { name: bot.name, tone: bot.tone },
  })
  if ('failed' in said) return null
  // The model read the passages and found no answer, so do not claim one.
  if (!said.answered) return fallBack(bot, language, Math.min(confidence, bot.thresholds.suggest))
  const used = said.usedPassages.flatMap((number) => hits[number - 1] ?? [])
  const answer: Answer = {
    text: said.text,
    sources: collectSources(used, bot.siteUrl),
    documentIds: [...new Set(used.map(({ passage }) => passage.documentId))],
    confidence,
    answered: true,
    language,
    buttons: [],
    decision: 'answer',
  }
  const asked = history.filter(({ role }) => role === 'user').map(({ text }) => text)
  return { ...answer, buttons: replyButtons(nextQuestions({ question, used, hits, asked })) }
}

function toPassage({ passage: { title, headings, text, url } }: Hit): ModelPassage {
  return { title: [...new Set([title, ...headings])].join(' › '), text, url }
}
