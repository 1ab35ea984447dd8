// Opens the conversations between visitors, bots and agents.
import type { Access } from '../access/open-access.ts'
import type { ActionSession, Actions, Knowledge } from '../answers/types.ts'
import type { Context } from '../context.ts'
import { type Part, repeatEverySecond, startAll, stopAll } from '../lifecycle.ts'
import type { BotRecord } from '../storage/bots.ts'
import { makeAnswerChat } from './answer-chat.ts'
import { makeAnswerMessage, makeTryMessage } from './answer-message.ts'
import { makeAnswerVisitor } from './answer-visitor.ts'
import { makeSendFile } from './attachments.ts'
import { makeCloseIdle, makeRequestPerson } from './handover.ts'
import { makeChangeConversation, makeMarkSeen } from './inbox.ts'
import { makeCaptureLead, makeLeaveLead } from './leads.ts'
import { openLive } from './live.ts'
import { makeMirrorCall, openEndedCallMirror } from './mirror.ts'
import type { LanguageModels } from './open-language-models.ts'
import { makeRateAnswer, makeRateChat } from './ratings.ts'
import { makeObserveTurns, makeSendMessage, type SendMessage } from './send-message.ts'
import { makeAgentOf, makeTakeOver } from './take-over.ts'
import { makeMeasureStage } from './turn-stages.ts'
import { openVisitorMails } from './visitor-mails.ts'
import { makeFindSession, makeRecordWidgetSeen, makeVisitorLimits } from './visitors.ts'

interface Neighbours {
  access: Pick<Access, 'countWithin'>
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  /** Runs work ahead of long tasks on the event loop. */
  runFirst: <T>(work: () => Promise<T>) => Promise<T>
  languageModels: Pick<LanguageModels, 'messageModelOf'>
  /** What the bot can do for a visitor; undefined if it has no actions. */
  actionsOf: (bot: BotRecord, session: ActionSession) => Actions | undefined
  /** Call when events of a bot were written. */
  onEvents: (botId: string) => void
}

export type Conversations = ReturnType<typeof openConversations>

export function openConversations(context: Context, neighbours: Neighbours) {
  const { storage, config, clock, onError } = context
  const { access, knowledgeOf, runFirst, languageModels, actionsOf, onEvents } = neighbours
  const { actionRuns, attachments, bots, conversations, deliveries, idempotentCalls, inbox, inboxChanges, leads } =
    storage
  const { members, messages, modelUsageDays, ownConversations, visitors, transaction } = storage
  const { countWithin } = access
  const { baseUrl, widgetBaseUrl, widget } = config
  const ownOrigins = [baseUrl, widgetBaseUrl]

  const measure = makeMeasureStage(context)
  const answerMessage = makeAnswerMessage({ ...languageModels, messages, knowledgeOf, measure, widgetBaseUrl })
  const send = makeSendMessage({
    conversations,
    messages,
    deliveries,
    modelUsageDays,
    answerMessage,
    actionsOf,
    actionRuns,
    measure,
    onEvents,
    clock,
  })
  const sendFirst: SendMessage = (...turn) => runFirst(() => send(...turn))
  const sendMessage = makeObserveTurns(context)(sendFirst)

  const live = openLive({ signal: storage.signal, onSignal: storage.onSignal, onError })
  const mails = openVisitorMails(context, countWithin)
  const mirrorCall = makeMirrorCall({ deliveries, clock })
  const endedCalls = openEndedCallMirror({ deliveries, mirrorCall, onEvents, clock })
  const findSession = makeFindSession({ conversations, visitors, clock })
  const captureLead = makeCaptureLead({ leads, deliveries, clock })
  const shared = { conversations, deliveries, transaction, findSession, captureLead, live, onEvents, clock }
  const takeOver = makeTakeOver({ ...shared, inbox, onReply: mails.onReply })

  const closeIdle = makeCloseIdle({ conversations, deliveries, onEvents, clock })
  const parts: Part[] = [
    live,
    mails,
    repeatEverySecond(
      () => endedCalls.flush(),
      onError,
      () => endedCalls.flush(true),
    ),
    ...(config.role === 'web' ? [] : [repeatEverySecond(closeIdle, onError)]),
  ]

  return {
    answerChat: makeAnswerChat({
      findBot: bots.find,
      idempotentCalls,
      mirrorCall,
      onEvents,
      sendMessage,
      // The widget's turns are published with what else they change.
      onTurn: (botId, conversationId) => live.publish({ botId, conversationId, kind: 'message' }),
      clock,
    }),
    answerVisitor: makeAnswerVisitor({ ...shared, sendMessage, transcripts: mails.transcripts }),
    tryMessage: makeTryMessage({ answerMessage, actionsOf, actionRuns, modelUsageDays, clock }),
    mirrorEndedCall: endedCalls.mirror,

    leaveLead: makeLeaveLead(shared),
    requestPerson: makeRequestPerson(shared),
    rateAnswer: makeRateAnswer(shared),
    rateChat: makeRateChat({ ownConversations, live }),
    sendFile: makeSendFile({ ...shared, attachments, takeOver, countWithin, filesPerDay: widget.filesPerDay }),
    transcripts: mails.transcripts,
    onSeen: mails.onSeen,
    limits: makeVisitorLimits({ countWithin, limits: widget }),
    ownOrigins,
    recordWidgetSeen: makeRecordWidgetSeen({ bots, ownOrigins, clock, onError }),

    agentOf: makeAgentOf(members),
    takeOver,
    changeConversation: makeChangeConversation({ ...shared, inbox, members }),
    markSeen: makeMarkSeen({ inboxChanges, live, clock }),
    live,

    start: () => startAll(parts),
    stop: () => stopAll(parts),
  }
}
