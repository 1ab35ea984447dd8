// Wires what happens between visitors, bots and the people behind them.
import type { FastifyInstance } from 'fastify'
import type { FindBot, Manager } from '../access/managers.ts'
import type { PublicBots } from '../access/public-bots.ts'
import { rateLimits } from '../access/rate-limits.ts'
import type { Config } from '../config.ts'
import { visitorAnswerer } from '../conversations/answer-visitor.ts'
import { personAsker } from '../conversations/ask-for-person.ts'
import { leadCapturer } from '../conversations/capture-lead.ts'
import { leadLeaver } from '../conversations/leave-lead.ts'
import { liveSignals } from '../conversations/live.ts'
import { answerRater } from '../conversations/rate-answer.ts'
import type { SendMessage } from '../conversations/send-message.ts'
import { type Agent, takeOver } from '../conversations/take-over.ts'
import { createVisitorLimits } from '../conversations/visitor-limits.ts'
import { visitorSessions } from '../conversations/visitor-session.ts'
import { conversationRoutes } from '../http/conversations.ts'
import { leadRoutes } from '../http/leads.ts'
import { liveStreams } from '../http/live-stream.ts'
import { refusedCallers } from '../http/refused-callers.ts'
import type { Route } from '../http/route.ts'
import { visitorReadingRoutes } from '../http/visitor-reading.ts'
import type { AccessWatch } from '../http/watch-access.ts'
import { widgetRoutes } from '../http/widget.ts'
import { answerPreflights, widgetAdmission } from '../http/widget-callers.ts'
import type { Metrics } from '../metrics.ts'
import type { Storage } from '../storage/storage.ts'

interface Parts {
  storage: Storage
  config: Config
  publicBots: PublicBots
  sendMessage: SendMessage
  onEvents: (botId: string) => void
  clock: () => number
  onError: (error: unknown) => void
}

export function wireConversing({ storage, config, publicBots, sendMessage, onEvents, clock, onError }: Parts) {
  const { bots, conversations, deliveries, inbox, leads, messages, visitors, transaction } = storage
  const live = liveSignals({ signal: storage.signal, onSignal: storage.onSignal, onError })
  const captureLead = leadCapturer({ leads, deliveries, clock })
  const findSession = visitorSessions({ conversations, visitors, clock })
  const common = { conversations, deliveries, transaction, findSession, captureLead, live, onEvents, clock }
  const countWithin = rateLimits({ throttles: config.databaseUrl === null ? null : storage.throttles, clock })

  async function agentOf(manager: Manager): Promise<Agent> {
    if (manager.kind === 'instance_owner') return { id: 'instance_owner', name: manager.person ?? 'Support' }
    const member = await storage.members.find(manager.workspaceId, manager.name)
    return { id: manager.name, name: manager.person ?? member?.name ?? 'Support' }
  }

  return {
    start: live.start,
    admission: (server: FastifyInstance, process: { metrics: Metrics; isStopping: () => boolean }) =>
      widgetAdmission({
        ...{ publicBots, visitors, countWithin },
        rememberRefusal: refusedCallers(server, { ...process, clock }),
        ownOrigins: [config.baseUrl, config.widgetBaseUrl],
        requestsPerMinute: config.widget.requestsPerMinute,
      }),
    routes(server: FastifyInstance, route: Route, findBot: FindBot, access: AccessWatch) {
      const streams = liveStreams(server)
      answerPreflights(server)
      widgetRoutes(route, {
        ...{ bots, conversations, live, clock },
        limits: createVisitorLimits({ countWithin, limits: config.widget }),
        answerVisitor: visitorAnswerer({ ...common, sendMessage }),
        leaveLead: leadLeaver(common),
        askForPerson: personAsker(common),
        rateAnswer: answerRater(common),
      })
      visitorReadingRoutes(route, {
        ...{ conversations, messages, leads, live, streams },
        streamsPerAddress: config.widget.streamsPerAddress,
      })
      conversationRoutes(route, {
        inbox,
        messages,
        findBot,
        agentOf,
        takeOver: takeOver({ ...common, inbox }),
        live,
        streams,
        access,
        clock,
      })
      leadRoutes(route, { leads, findBot })
    },
  }
}
