import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import { makeCompareBots, makeReadAnalytics } from './analytics.ts'
import { makeReadHome } from './home.ts'
import { makeListAskedTopics, makeListTopics, makeListUnanswered, type TopicDeps } from './questions.ts'

interface Neighbours {
  knowledgeOf: KnowledgeOf
  embedQuestions: TopicDeps['embedQuestions']
}

export type Insights = ReturnType<typeof openInsights>

export function openInsights(context: Context, { knowledgeOf, embedQuestions }: Neighbours) {
  const { storage, clock } = context
  const listUnanswered = makeListUnanswered(storage)
  return {
    readAnalytics: makeReadAnalytics({ ...storage, clock }),
    compareBots: makeCompareBots({ ...storage, clock }),
    listUnanswered,
    readHome: makeReadHome(context, { listUnanswered, embedQuestions }),
    listAskedTopics: makeListAskedTopics({ ...storage, embedQuestions, clock }),
    listTopics: makeListTopics({ listUnanswered, knowledgeOf, embedQuestions, clock }),
  }
}
