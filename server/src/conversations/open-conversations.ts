// Opens the conversations between visitors, bots and agents.
import type { Access } from '../access/open-access.ts'
import type { ActionsOf } from '../actions/dialogue.ts'
import type { Turn } from '../answers/types.ts'
import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import { type Part, repeatEverySecond, startAll, stopAll } from '../lifecycle.ts'
import type { OnEvents } from '../webhooks/delivery-worker.ts'
import { makeAnswerChat } from './answer-chat.ts'
import { makeAnswerMessage, makeLimitedTryMessage, makeTryMessage } from './answer-message.ts'
import { makeProposeAnswer } from './answer-proposals.ts'
import { makeAnswerVisitor } from './answer-visitor.ts'
import { makeSendFile } from './attachments.ts'
import { openAvailability } from './availability.ts'
import { makeWriteDraft } from './drafts.ts'
import { makeFlowButtonsOf } from './flow-buttons.ts'
import { type HandoverQuestions, makeCloseIdle, makeRequestPerson } from './handover.ts'
import { openIdentities } from './identities.ts'
import { makeAddNote, makeChangeConversation, makeMarkSeen } from './inbox.ts'
import { makeCaptureLead, makeLeaveLead } from './leads.ts'
import { openLive } from './live.ts'
import { makeMirrorCall, openEndedCallMirror } from './mirror.ts'
import type { LanguageModels } from './open-language-models.ts'
import { makeRateAnswer, makeRateChat } from './ratings.ts'
import { makeObserveTurns, makeSendMessage, type SendMessage } from './send-message.ts'
import { makeSuggestReplies } from './suggestions.ts'
import { makeAgentOf, makeTakeOver } from './take-over.ts'
import { openTestQuestions } from './test-questions.ts'
import { makeMeasureStage } from './turn-stages.ts'
import { openVisitorMails } from './visitor-mails.ts'
import { makeFindSession, makeRecordWidgetSeen, makeVisitorLimits } from './visitors.ts'
import { openWaitingTimes } from './waiting-times.ts'

interface Neighbours {
  access: Pick<Access, 'countWithin'>
  knowledgeOf: KnowledgeOf
  /** Runs work ahead of long tasks on the event loop. */
  runFirst: <T>(work: () => Promise<T>) => Promise<T>
  /** Whether a visitor asked something just now. */
  isBusy: () => boolean
  /** Progress of a bot's passage vectors. */
  embedding: (botId: string) => Promise<{ complete: boolean }>
  languageModels: Pick<LanguageModels, 'messageModelOf' | 'askForDraft'>
  /** What the bot can do for a visitor; undefined if it has no actions. */
  actionsOf: ActionsOf
  /** The history as a language model may know it. */
  forModel: (history: readonly Turn[]) => Turn[]
  handoverQuestions: HandoverQuestions
  onEvents: OnEvents
}

export type Conversations = ReturnType<typeof openConversations>

export function openConversations(context: Context, neighbours: Neighbours) {
  const { storage, config, sendMail, clock, onError } = context
  const { isBusy, embedding } = neighbours
  const { access, knowledgeOf, runFirst, languageModels, actionsOf, forModel, handoverQuestions, onEvents } = neighbours
  const { actionRuns, attachments, bots, conversations, deliveries, idempotentCalls, identities, inbox } = storage
  const { inboxChanges, leads } = storage
  const { cannedReplies, members, messages, modelUsageDays, ownConversations, pastReplies, resolutions } = storage
  const { actions, visitors, transaction } = storage
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
    resolutions,
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
  const { isSomebodyThere, findReturn, setAvailability } = openAvailability({ members, clock })
  const waitingTimes = openWaitingTimes({ conversations, findReturn, clock })
  const flowButtonsOf = makeFlowButtonsOf({ actions, isSomebodyThere })
  const findSession = makeFindSession({ conversations, visitors, identities, clock })
  const captureLead = makeCaptureLead({ leads, deliveries, clock })
  const shared = {
    conversations,
    deliveries,
    transaction,
    findSession,
    isSomebodyThere,
    waitingTimes,
    captureLead,
    live,
    onEvents,
    clock,
  }
  const takeOver = makeTakeOver({ ...shared, inbox, onReply: mails.onReply })

  const tryMessage = makeTryMessage({ answerMessage, actionsOf, actionRuns, modelUsageDays, clock })
  const tests = openTestQuestions({
    ...storage,
    findBot: bots.findById,
    tryMessage,
    isIndexed: async (botId) => (await embedding(botId)).complete,
    isBusy,
    clock,
    onError,
  })
  const testing = repeatEverySecond(tests.work, onError)

  const closeIdle = makeCloseIdle({ conversations, deliveries, onEvents, clock })
  const runTests: Part = {
    async start() {
      await storage.testRuns.forgetLeases()
      testing.start()
    },
    stop() {
      tests.close()
      return testing.stop()
    },
  }
  const parts: Part[] = [
    live,
    mails,
    repeatEverySecond(
      () => endedCalls.flush(),
      onError,
      () => endedCalls.flush(true),
    ),
    ...(config.role === 'web' ? [] : [repeatEverySecond(closeIdle, onError), runTests]),
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
      flowButtonsOf,
      clock,
    }),
    answerVisitor: makeAnswerVisitor({
      ...shared,
      sendMessage,
      flowButtonsOf,
      handoverQuestions,
      transcripts: mails.transcripts,
    }),
    flowButtonsOf,
    isSomebodyThere,
    setAvailability,
    tryMessage: makeLimitedTryMessage(tryMessage, countWithin),
    mirrorEndedCall: endedCalls.mirror,
    /** Run at once if this node does such work; other nodes notice within a second. */
    tests: { ...tests, wake: testing.now },

    leaveLead: makeLeaveLead(shared),
    requestPerson: makeRequestPerson({ ...shared, messages, handoverQuestions }),
    rateAnswer: makeRateAnswer(shared),
    rateChat: makeRateChat({ ownConversations, live }),
    sendFile: makeSendFile({ ...shared, attachments, takeOver, countWithin, filesPerDay: widget.filesPerDay }),
    transcripts: mails.transcripts,
    onSeen: mails.onSeen,
    limits: makeVisitorLimits({ countWithin, limits: widget }),
    identity: openIdentities({ ...storage, ...context }),
    ownOrigins,
    recordWidgetSeen: makeRecordWidgetSeen({ bots, ownOrigins, clock, onError }),

    agentOf: makeAgentOf(members),
    proposeAnswer: makeProposeAnswer({ ...storage, clock }),
    takeOver,
    changeConversation: makeChangeConversation({ ...shared, inbox, members }),
    addNote: makeAddNote({ inbox, members, sendMail, countWithin, live, baseUrl, clock, onError }),
    suggestReplies: makeSuggestReplies({ messages, pastReplies, cannedReplies, knowledgeOf, widgetBaseUrl }),
    writeDraft: makeWriteDraft({
      ...languageModels,
      messages,
      modelUsageDays,
      knowledgeOf,
      forModel,
      widgetBaseUrl,
      clock,
    }),
    markSeen: makeMarkSeen({ inboxChanges, live, clock }),
    live,

    start: () => startAll(parts),
    stop: () => stopAll(parts),
  }
}
