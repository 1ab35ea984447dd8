import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import { makeCompareBots, makeReadAnalytics } from './analytics.ts'
import { makeReadHome } from './home.ts'
import { type EmbedQuestions, makeListAskedTopics, makeListTopics, makeListUnanswered } from './questions.ts'

interface Neighbours {
  knowledgeOf: KnowledgeOf
  embedQuestions: EmbedQuestions
}

export type Insights = ReturnType<typeof openInsights>

export function openInsights(context: Context, { knowledgeOf, embedQuestions }: Neighbours) {
  const listUnanswered = makeListUnanswered(context)
  return {
    readAnalytics: makeReadAnalytics(context),
    compareBots: makeCompareBots(context),
    listUnanswered,
    readHome: makeReadHome(context, { listUnanswered, embedQuestions }),
    listAskedTopics: makeListAskedTopics(context, embedQuestions),
    listTopics: makeListTopics(context, { listUnanswered, knowledgeOf, embedQuestions }),
  }
}
