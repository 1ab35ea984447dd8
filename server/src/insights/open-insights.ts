import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import { makeReadAnalytics } from './analytics.ts'
import { makeReadHome } from './home.ts'
import { makeListAskedTopics, makeListTopics, makeListUnanswered, type TopicDeps } from './questions.ts'

interface Neighbours {
  knowledgeOf: KnowledgeOf
  embedQuestions: TopicDeps['embedQuestions']
}

export type Insights = ReturnType<typeof openInsights>

export function openInsights({ storage, clock }: Context, { knowledgeOf, embedQuestions }: Neighbours) {
  const listUnanswered = makeListUnanswered(storage)
  return {
    readAnalytics: makeReadAnalytics({ ...storage, clock }),
    listUnanswered,
    readHome: makeReadHome({ ...storage, listUnanswered, embedQuestions, clock }),
    listAskedTopics: makeListAskedTopics({ ...storage, embedQuestions, clock }),
    listTopics: makeListTopics({ listUnanswered, knowledgeOf, embedQuestions, clock }),
  }
}
