// Opens insights: figures, unanswered questions and their topics.
import type { Knowledge } from '../answers/types.ts'
import type { Context } from '../context.ts'
import type { BotRecord } from '../storage/bots.ts'
import { makeReadAnalytics } from './analytics.ts'
import { makeListTopics, makeListUnanswered } from './questions.ts'

interface Neighbours {
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  embedQuestions: (questions: { text: string; language: string }[]) => Promise<(Float32Array | undefined)[]>
}

export type Insights = ReturnType<typeof openInsights>

export function openInsights({ storage, clock }: Context, { knowledgeOf, embedQuestions }: Neighbours) {
  const listUnanswered = makeListUnanswered(storage)
  return {
    readAnalytics: makeReadAnalytics(storage),
    listUnanswered,
    listTopics: makeListTopics({ listUnanswered, knowledgeOf, embedQuestions, clock }),
  }
}
