// Figures, open questions, export, erasure and retention.
import type { Audit } from '../../access/audit.ts'
import type { FindBot } from '../../access/managers.ts'
import type { Knowledge } from '../../answers/types.ts'
import type { Config } from '../../config.ts'
import { insightRoutes } from '../../http/insights.ts'
import type { Route } from '../../http/server/route.ts'
import { visitorRoutes } from '../../http/visitors.ts'
import { makeReadAnalytics } from '../../insights/analytics.ts'
import { makeListTopics, makeListUnanswered } from '../../insights/questions.ts'
import { repeatEverySecond } from '../../lifecycle.ts'
import { makeSweepRetention } from '../../privacy/retention.ts'
import { makeExportVisitor } from '../../privacy/visitors.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { Storage } from '../../storage/storage.ts'

interface Deps {
  storage: Storage
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  embedQuestions: (questions: { text: string; language: string }[]) => Promise<(Float32Array | undefined)[]>
  config: Pick<Config, 'role'>
  isStopping: () => boolean
  clock: () => number
  onError: (error: unknown) => void
}

export function createInsightsPart(deps: Deps) {
  const { storage, knowledgeOf, embedQuestions, config, isStopping, clock, onError } = deps
  const { questions, people, retention } = storage
  const listUnanswered = makeListUnanswered(storage)
  return {
    routes(route: Route, findBot: FindBot, audit: Audit) {
      insightRoutes(route, {
        ...{ questions, findBot, clock },
        readAnalytics: makeReadAnalytics(storage),
        listUnanswered,
        listTopics: makeListTopics({ listUnanswered, knowledgeOf, embedQuestions, clock }),
      })
      visitorRoutes(route, {
        people,
        retention,
        findBot,
        audit,
        clock,
        exportVisitor: makeExportVisitor({ ...storage, clock }),
      })
    },
    ...(config.role === 'web' ? {} : repeatEverySecond(makeSweepRetention({ retention, isStopping, clock }), onError)),
  }
}
