// Figures, open questions, export, erasure and retention.
import type { Audit } from '../../access/audit.ts'
import type { FindBot } from '../../access/managers.ts'
import type { Knowledge } from '../../answers/types.ts'
import type { Config } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { insightRoutes } from '../../http/routes/conversations/insights.ts'
import { visitorRoutes } from '../../http/routes/conversations/visitors.ts'
import { createListTopics } from '../../insights/list-topics.ts'
import { createListUnanswered } from '../../insights/list-unanswered.ts'
import { createReadAnalytics } from '../../insights/read-analytics.ts'
import { repeatEverySecond } from '../../lifecycle.ts'
import { createExportVisitor } from '../../privacy/export-visitor.ts'
import { createSweepRetention } from '../../privacy/sweep-retention.ts'
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
  const listUnanswered = createListUnanswered(storage)
  return {
    routes(route: Route, findBot: FindBot, audit: Audit) {
      insightRoutes(route, {
        ...{ questions, findBot, clock },
        readAnalytics: createReadAnalytics(storage),
        listUnanswered,
        listTopics: createListTopics({ listUnanswered, knowledgeOf, embedQuestions, clock }),
      })
      visitorRoutes(route, {
        people,
        retention,
        findBot,
        audit,
        clock,
        exportVisitor: createExportVisitor({ ...storage, clock }),
      })
    },
    ...(config.role === 'web'
      ? {}
      : repeatEverySecond(createSweepRetention({ retention, isStopping, clock }), onError)),
  }
}
