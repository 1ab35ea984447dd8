// Wires what looks back on conversations: figures, open questions, export, erasure, retention.
import type { Audit } from '../access/audit.ts'
import type { FindBot } from '../access/managers.ts'
import type { Config } from '../config.ts'
import type { Route } from '../http/route.ts'
import { insightRoutes } from '../http/routes/conversations/insights.ts'
import { visitorRoutes } from '../http/routes/conversations/visitors.ts'
import { unansweredLister } from '../insights/list-unanswered.ts'
import { analyticsReader } from '../insights/read-analytics.ts'
import { visitorExporter } from '../privacy/export-visitor.ts'
import { retentionSweeper } from '../privacy/sweep-retention.ts'
import type { Storage } from '../storage/storage.ts'
import { everySecond } from './every-second.ts'

interface Parts {
  storage: Storage
  config: Pick<Config, 'role'>
  isStopping: () => boolean
  clock: () => number
  onError: (error: unknown) => void
}

export function wireLookingBack({ storage, config, isStopping, clock, onError }: Parts) {
  const { questions, people, retention } = storage
  return {
    routes(route: Route, findBot: FindBot, audit: Audit) {
      insightRoutes(route, {
        ...{ questions, findBot, clock },
        readAnalytics: analyticsReader(storage),
        listUnanswered: unansweredLister(storage),
      })
      visitorRoutes(route, { people, retention, findBot, audit, clock, exportVisitor: visitorExporter(storage) })
    },
    /** Tells how to stop. */
    start(): () => Promise<void> {
      if (config.role === 'web') return async () => {}
      return everySecond(retentionSweeper({ retention, isStopping, clock }), onError).stop
    },
  }
}
