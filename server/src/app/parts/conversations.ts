// Conversations between visitors, bots and agents.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Audit } from '../../access/audit.ts'
import type { FindBot, FindWorkspace, Manager } from '../../access/managers.ts'
import type { PublicBots } from '../../access/public-bots.ts'
import { type CountWithin, networkOf } from '../../access/rate-limits.ts'
import { makeUploadAvatar } from '../../bots/avatars.ts'
import type { Config } from '../../config.ts'
import { makeAnswerVisitor } from '../../conversations/answer-visitor.ts'
import { makeSendFile } from '../../conversations/attachments.ts'
import { makeRequestPerson } from '../../conversations/handover.ts'
import { makeChangeConversation, makeMarkSeen } from '../../conversations/inbox.ts'
import { makeCaptureLead, makeLeaveLead } from '../../conversations/leads.ts'
import { openLive } from '../../conversations/live.ts'
import { makeRateAnswer, makeRateChat } from '../../conversations/ratings.ts'
import type { SendMessage } from '../../conversations/send-message.ts'
import { type Agent, makeTakeOver } from '../../conversations/take-over.ts'
import { makeFindSession, makeRecordWidgetSeen, makeVisitorLimits } from '../../conversations/visitors.ts'
import { attachmentRoutes } from '../../http/attachments.ts'
import { avatarRoutes } from '../../http/avatars.ts'
import { conversationRoutes } from '../../http/conversations.ts'
import { inboxRoutes } from '../../http/inbox.ts'
import { leadRoutes } from '../../http/leads.ts'
import type { AccessWatch } from '../../http/server/access-watch.ts'
import { openLiveStreams } from '../../http/server/event-streams.ts'
import { makeRefusedCallers } from '../../http/server/refused-callers.ts'
import type { Route } from '../../http/server/route.ts'
import { answerPreflights, makeAdmitWidget } from '../../http/server/widget-callers.ts'
import { visitorReadingRoutes, widgetRoutes } from '../../http/widget.ts'
import type { SendMail } from '../../mail.ts'
import { type NameSection, sectionOrdinal } from '../../search/source-page.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { createVisitorMailsPart } from './visitor-mails.ts'

const MINUTE_MS = 60_000

interface Deps {
  storage: Storage
  config: Config
  publicBots: PublicBots
  countWithin: CountWithin
  sendMessage: SendMessage
  /** Null: email is not configured. */
  sendMail: SendMail | null
  onEvents: (botId: string) => void
  nameSection: NameSection
  clock: () => number
  onError: (error: unknown) => void
}

interface RouteDeps {
  findBot: FindBot
  findWorkspace: FindWorkspace
  audit: Audit
  access: AccessWatch
}

export function createConversationsPart(deps: Deps) {
  const { storage, config, publicBots, countWithin, sendMessage, sendMail, onEvents, clock, onError } = deps
  const { attachments, bots, conversations, deliveries, inbox, inboxChanges, leads, members, messages } = storage
  const { avatars, ownConversations, visitors, transaction } = storage
  const live = openLive({ signal: storage.signal, onSignal: storage.onSignal, onError })
  const captureLead = makeCaptureLead({ leads, deliveries, clock })
  const findSession = makeFindSession({ conversations, visitors, clock })
  const common = { conversations, deliveries, transaction, findSession, captureLead, live, onEvents, clock }
  const markSeen = makeMarkSeen({ inboxChanges, live, clock })

  const mails = createVisitorMailsPart({ storage, config, sendMail, countWithin, clock, onError })
  const { transcripts, onReply, onSeen } = mails
  const ownOrigins = [config.baseUrl, config.widgetBaseUrl]

  /** An instance owner who is a member of the workspace acts as that member. */
  async function agentOf(manager: Manager, workspaceId: string): Promise<Agent> {
    const { person, memberId } = manager
    const isMember = manager.kind === 'member' || manager.workspaceId === workspaceId
    const id = manager.kind === 'member' ? manager.name : (isMember && memberId) || 'instance_owner'
    if (person !== undefined) return { id, name: person }
    const member = manager.kind === 'member' ? await storage.members.find(workspaceId, id) : undefined
    return { id, name: member?.name ?? 'Support' }
  }

  return {
    /** A turn of the chat API; the widget's are published with what else they change. */
    publishTurn: (botId: string, conversationId: string) => live.publish({ botId, conversationId, kind: 'message' }),
    async start() {
      await live.start()
      await mails.start?.()
    },
    stop: async () => mails.stop?.(),
    admission: (server: FastifyInstance, process: { metrics: Metrics; isStopping: () => boolean }) =>
      makeAdmitWidget({
        ...{ publicBots, visitors, countWithin },
        rememberRefusal: makeRefusedCallers(server, { ...process, clock }),
        ownOrigins,
        requestsPerMinute: config.widget.requestsPerMinute,
        botsPerAddress: config.widget.botsPerAddress,
      }),
    countDownload: (ip: string) => {
      const calls = config.downloadsPerMinute
      return countWithin([{ name: `downloads ${networkOf(ip)}`, calls, windowMs: MINUTE_MS }])
    },
    routes(server: FastifyInstance, route: Route, { findBot, findWorkspace, audit, access }: RouteDeps) {
      const streams = openLiveStreams(server)
      const stagingFolder = join(config.dataDir, 'staging')
      const takeOver = makeTakeOver({ ...common, inbox, onReply })
      answerPreflights(server, { publicBots, ownOrigins })
      widgetRoutes(route, {
        ...{ bots, conversations, live, clock },
        limits: makeVisitorLimits({ countWithin, limits: config.widget }),
        answerVisitor: makeAnswerVisitor({ ...common, sendMessage, transcripts }),
        leaveLead: makeLeaveLead(common),
        requestPerson: makeRequestPerson(common),
        rateAnswer: makeRateAnswer(common),
        rateChat: makeRateChat({ ownConversations, live }),
        transcripts,
        sections: { documents: storage.documents, nameOf: deps.nameSection, ordinalOf: sectionOrdinal },
        markSeen,
        recordWidgetSeen: makeRecordWidgetSeen({ bots, ownOrigins, clock, onError }),
      })
      visitorReadingRoutes(route, {
        ...{ conversations, messages, ownConversations, leads, live, streams, onSeen },
        ...{ streamsPerAddress: config.widget.streamsPerAddress, botsPerAddress: config.widget.botsPerAddress },
      })
      conversationRoutes(route, {
        inbox,
        messages,
        people: storage.people,
        findBot,
        agentOf,
        takeOver,
        changeConversation: makeChangeConversation({ ...common, inbox, members }),
        ...{ inboxChanges, markSeen, live, streams, access, clock },
      })
      inboxRoutes(route, {
        ...{ bots, inbox, inboxChanges, members, findWorkspace, agentOf, audit, live, streams, access, clock },
        ...{ savedFilters: storage.savedFilters, cannedReplies: storage.cannedReplies },
      })
      attachmentRoutes(route, {
        ...{ bots, conversations, attachments, takeOver, findBot, agentOf },
        sendFile: makeSendFile({
          ...{ ...common, attachments, takeOver, countWithin, filesPerDay: config.widget.filesPerDay },
        }),
        fileBytes: config.attachmentMaxBytes,
        stagingFolder,
      })
      avatarRoutes(route, {
        ...{
          avatars,
          uploadAvatar: makeUploadAvatar({ avatars, clock }),
          memberAvatars: storage.memberAvatars,
          members,
        },
        ...{ findBot, findWorkspace, agentOf, audit, stagingFolder, clock },
      })
      leadRoutes(route, { leads, findBot })
    },
  }
}
