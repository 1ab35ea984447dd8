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
import type { ConversationsContext } from './conversations-context.ts'
import { makeFlowButtonsOf } from './flow-buttons.ts'
import { type HandoverQuestions, makeCloseIdle, makeRequestPerson } from './handover.ts'
import { openIdentities } from './identities.ts'
import { makeAddNote, makeChangeConversation, makeMarkSeen } from './inbox.ts'
import { makeLeaveLead } from './leads.ts'
import { openLive } from './live.ts'
import { makeMirrorCall, openEndedCallMirror } from './mirror.ts'
import type { LanguageModels } from './open-language-models.ts'
import { makeRateAnswer, makeRateChat } from './own-conversations.ts'
import { makeSendMessage } from './send-message.ts'
import { makeSuggestReplies, makeWriteDraft } from './suggestions.ts'
import { makeAgentOf, makeTakeOver } from './take-over.ts'
import { openTestQuestions } from './test-questions.ts'
import { makeMeasureStage } from './turn-stages.ts'
import { openVisitorMails } from './visitor-mails.ts'
import { makeRecordWidgetSeen, makeVisitorLimits } from './visitors.ts'
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

export function openConversations(instance: Context, neighbours: Neighbours) {
  const { storage, config, clock, onError } = instance
  const { access, knowledgeOf, runFirst, languageModels, actionsOf, forModel, handoverQuestions, onEvents } = neighbours
  const { countWithin } = access
  const { baseUrl, widgetBaseUrl } = config
  const ownOrigins = [baseUrl, widgetBaseUrl]

  const live = openLive(instance)
  const context: ConversationsContext = { ...instance, onEvents, live }

  const measure = makeMeasureStage(context)
  const answerMessage = makeAnswerMessage(context, { ...languageModels, knowledgeOf, measure })
  const sendMessage = makeSendMessage(context, { answerMessage, actionsOf, runFirst, measure })

  const mails = openVisitorMails(context, countWithin)
  const mirrorCall = makeMirrorCall(context)
  const endedCalls = openEndedCallMirror({ ...storage, mirrorCall, onEvents, clock })
  const { isSomebodyThere, findReturn, setAvailability } = openAvailability(context)
  const waitingTimes = openWaitingTimes({ ...storage, findReturn, clock })
  const flowButtonsOf = makeFlowButtonsOf(context, isSomebodyThere)
  const handover = { handoverQuestions, isSomebodyThere, waitingTimes }
  const takeOver = makeTakeOver(context, mails.onReply)

  const tryMessage = makeTryMessage(context, answerMessage, actionsOf)
  const tests = openTestQuestions(context, { ...neighbours, tryMessage })
  const testing = repeatEverySecond(tests.work, onError)

  const closeIdle = makeCloseIdle(context)
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
    answerChat: makeAnswerChat(context, { mirrorCall, sendMessage, flowButtonsOf }),
    answerVisitor: makeAnswerVisitor(context, {
      ...handover,
      sendMessage,
      flowButtonsOf,
      transcripts: mails.transcripts,
    }),
    flowButtonsOf,
    isSomebodyThere,
    setAvailability,
    tryMessage: makeLimitedTryMessage(tryMessage, countWithin),
    mirrorEndedCall: endedCalls.mirror,
    /** Run at once if this node does such work; other nodes notice within a second. */
    tests: { ...tests, wake: testing.now },

    leaveLead: makeLeaveLead(context),
    requestPerson: makeRequestPerson(context, handover),
    rateAnswer: makeRateAnswer(context),
    rateChat: makeRateChat(context),
    sendFile: makeSendFile(context, { takeOver, isSomebodyThere, countWithin }),
    transcripts: mails.transcripts,
    onSeen: mails.onSeen,
    limits: makeVisitorLimits(context, countWithin),
    identity: openIdentities(context),
    ownOrigins,
    recordWidgetSeen: makeRecordWidgetSeen(context, ownOrigins),

    agentOf: makeAgentOf(storage.members),
    proposeAnswer: makeProposeAnswer(context),
    takeOver,
    changeConversation: makeChangeConversation(context),
    addNote: makeAddNote(context, countWithin),
    suggestReplies: makeSuggestReplies(context, knowledgeOf),
    writeDraft: makeWriteDraft(context, { ...languageModels, knowledgeOf, forModel }),
    markSeen: makeMarkSeen(context),
    live,

    start: () => startAll(parts),
    stop: () => stopAll(parts),
  }
}
