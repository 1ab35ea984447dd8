// How a bot carries out an action in a conversation: recognises what is wanted, or is told by the bot's language model,
// reads the inputs out of messages or asks for them one at a time, has it confirmed, runs it, and says what came of it.
import { createHash } from 'node:crypto'
import { ACTIONS_PER_BOT, type ActionInput } from '@docent/contract'
import { curatedConfidence } from '../answers/confidence/curated-confidence.ts'
import { sharesContent } from '../answers/curated.ts'
import { joinSentences, reachUsSentence, sentencesFor } from '../answers/fall-back.ts'
import { findContact } from '../answers/find-contact.ts'
import { labelsOf } from '../answers/own-texts.ts'
import type {
  ActionDialogue,
  ActionLead,
  ActionMessage,
  ActionProgress,
  ActionSession,
  ActionStep,
  Answer,
  Turn as HistoryTurn,
} from '../answers/types.ts'
import { MASK, maskSecrets } from '../answers/understand/secrets.ts'
import { timedId } from '../ids.ts'
import { withoutValues } from '../language/fold.ts'
import { punctuationOf } from '../language/punctuation.ts'
import { type ActionRecord, type ActionRunsTable, type ActionsTable, notForId } from '../storage/actions.ts'
import type { BotRecord } from '../storage/bots.ts'
import { dialogueWords, isAnswer } from './dialogue-words.ts'
import type { HandoverQuestions } from './handover-questions.ts'
import {
  checkInput,
  type InputValue,
  type InputValues,
  isSecretInput,
  isSecretName,
  maskInputs,
  secretNames,
  spokenValue,
} from './inputs.ts'
import {
  askFor,
  isQuestion,
  MAX_ATTEMPTS,
  plainReply,
  readAnswer,
  readOthers,
  replyButton,
  WAITS_MS,
} from './questions.ts'
import type { RunAction, RunResult } from './run.ts'
import { plain, renderAnswer, shortened, visitorValues } from './templates.ts'
import { readToolInputs, toTools } from './tools.ts'

/** What an action has collected, kept with the reply that asks for more. */
interface Pending {
  actionId: string
  /** Stays the same until it ran, so that it cannot run twice. */
  runId: string
  values: InputValues
  /** The input that was asked for; null: confirmation. */
  asked: string | null
  /** How often it was asked for. */
  attempts: number
  language: string
  /** A language model chose it. */
  isChosen: boolean
  /** The names of inputs that are secrets. */
  hidden: string[]
  at: number
}

interface Deps {
  actions: Pick<ActionsTable, 'find' | 'list'>
  actionRuns: Pick<ActionRunsTable, 'start'>
  runAction: RunAction
  handoverQuestions: Pick<HandoverQuestions, 'proceed'>
  clock: () => number
}

/** Undefined for bots without actions, which ask nothing before a handover either. */
export type ActionsOf = (bot: BotRecord, session: ActionSession) => ActionDialogue | undefined

export function makeActionsOf(deps: Deps): ActionsOf {
  const isNeeded = ({ actionsVersion, widget }: BotRecord) => actionsVersion > 0 || widget.handover.questions.length > 0
  return (bot, session) => (isNeeded(bot) ? openDialogue(deps, bot, session) : undefined)
}

function openDialogue(
  { actions, actionRuns, runAction, handoverQuestions, clock }: Deps,
  bot: BotRecord,
  session: ActionSession,
): ActionDialogue {
  const isPlayground = session.channel === 'playground'
  // Test questions would fill the log with runs that did nothing.
  const isLogged = isPlayground || !session.usesSamples

  function isBarred({ audience }: ActionRecord): boolean {
    return (audience === 'verified' || bot.widget.identity.require_for_actions) && !session.user
  }

  function isUsable({ state, kind }: ActionRecord): boolean {
    // Leads belong to visitors, whom the chat API does not know.
    return (state === 'live' || isPlayground) && (kind === 'http' || session.channel !== 'api')
  }

  const waiting = () => {
    const pending = readPending(session.pending)
    return pending && clock() - pending.at <= WAITS_MS ? pending : null
  }

  return {
    async proceed(message) {
      if (chosenAction(message.text)) return null
      const handoverProgress =
        session.channel === 'widget' ? handoverQuestions.proceed(bot, session.pending, message) : null
      if (handoverProgress) return handoverProgress
      const pending = waiting()
      if (!pending || message.isForPerson) return null
      const action = await actions.find(bot.id, pending.actionId)
      if (!action || !isUsable(action) || isBarred(action)) return null
      const values = stillValid(action, pending.values)
      const step = pending.asked === null ? takeConfirmation : takeInput
      const progress: ActionProgress = {
        id: action.id,
        status: pending.asked === null ? 'confirming' : 'asking',
        state: JSON.stringify({ ...pending, at: clock() }),
      }
      const { language } = pending
      if (isAnswer('cancelWords', message.text))
        return {
          isCertain: true,
          reply: async () => plainReply(dialogueWords(language).stopped, language),
          held: progress,
        }
      // Whoever keeps the state could name any run.
      const runId = isPlayground ? newRunId() : pending.runId
      const turn = { ...message, language, runId, isChosen: pending.isChosen, onceKey: null }
      const { isCertain, reply } = step(action, { ...pending, values }, turn)
      return { isCertain, reply, held: progress }
    },

    async start(message) {
      const action = await wantedAction(message)
      if (!action) return null
      if (isBarred(action)) return askToLogIn(action, message.language)
      const turn = { ...message, runId: newRunId(), isChosen: false, onceKey: onceKeyOf(action) }
      return goOn(action, readAll(action, message, {}), turn)
    },

    offer: async () => toTools(await usableActions()).map(({ actionId: _, ...tool }) => tool),

    async startChosen({ name, inputs }, message) {
      const usable = await usableActions()
      const chosenId = toTools(usable).find((tool) => tool.name === name)?.actionId
      const action = usable.find(({ id }) => id === chosenId)
      if (!action) return null
      if (isBarred(action)) return askToLogIn(action, message.language)
      const visitorTurns = message.history.filter(({ role, isPrivate }) => role === 'user' && !isPrivate)
      const inputValues = readToolInputs(action, inputs, [...visitorTurns.map(({ text }) => text), message.text])
      const pending = waiting()
      const turn = { ...message, runId: newRunId(), isChosen: true, onceKey: onceKeyOf(action) }
      if (pending?.actionId !== action.id) return goOn(action, readAll(action, message, inputValues), turn)
      const runId = isPlayground ? turn.runId : pending.runId
      return goOnChosen(action, pending, inputValues, { ...turn, runId, onceKey: null })
    },

    forModel,
  }

  async function usableActions(): Promise<ActionRecord[]> {
    return (await actions.list(bot.id, '', ACTIONS_PER_BOT)).filter(isUsable)
  }

  function askToLogIn(action: ActionRecord, language: string): Answer {
    return { ...plainReply(dialogueWords(language).logIn, language), action: { id: action.id, status: 'failed' } }
  }

  /** A language model chose the action that already waits: that counts as a reply to it, and never as a "yes". */
  async function goOnChosen(
    action: ActionRecord,
    pending: Pending,
    newValues: InputValues,
    turn: Turn,
  ): Promise<Answer> {
    const before = stillValid(action, pending.values)
    const values = { ...before, ...newValues }
    const isNew = Object.keys(newValues).some((name) => newValues[name] !== before[name])
    const input = action.inputs.find(({ name }) => name === pending.asked)
    if (input && !(input.name in values)) return askAgain(action, input, values, pending.attempts, turn)
    return pending.asked === null && !isNew
      ? confirmAgain(action, values, pending.attempts, turn)
      : goOn(action, values, turn)
  }

  /** Reading twice does no harm. */
  function onceKeyOf({ id, request }: ActionRecord): string | null {
    if (session.turnKey === null || request?.method === 'GET') return null
    return createHash('sha256').update(`${id} ${session.turnKey}`).digest('base64url')
  }

  function newRunId(): string {
    return timedId('run', clock())
  }

  /** The action of the button whose label is sent. */
  function chosenAction(text: string): string | undefined {
    const { greeting_buttons, answer_buttons, no_answer_buttons } = bot.widget.look
    const buttons = [...greeting_buttons, ...answer_buttons, ...no_answer_buttons]
    const isSent = (label: string) => label.trim().replace(/\s+/g, ' ') === text.trim()
    const button = buttons.find((one) => one.type === 'action' && labelsOf(bot, one).some(isSent))
    return button?.type === 'action' ? button.action_id : undefined
  }

  /** The action whose button was pressed, or whose examples the message resembles, if nothing else fits as well. */
  async function wantedAction({ text, language, bot: voice, knowledge }: ActionMessage): Promise<ActionRecord | null> {
    const chosenId = chosenAction(text)
    const buttonAction = chosenId === undefined ? undefined : await actions.find(bot.id, chosenId)
    if (buttonAction && isUsable(buttonAction)) return buttonAction
    if (!knowledge.matchAction || knowledge.matchAction(text, language, undefined).length === 0) return null
    const vector = await knowledge.embed(text)
    const byId = new Map((await usableActions()).map((action) => [action.id, action]))
    const matches = knowledge.matchAction(text, language, vector).filter(({ id }) => byId.has(notForId(id) ?? id))
    const confidence = curatedConfidence(matches)
    const [first] = matches
    const action = first && byId.get(first.id)
    if (!action || confidence < voice.thresholds.answer) return null
    const [question = '', ...alternatives] = action.examples
    const words = withoutValues(text)
    if (first.signals.vector === 0 && !sharesContent(words, language, { question, alternatives })) return null
    return confidence > curatedConfidence(knowledge.matchCurated(text, language, vector)) ? action : null
  }

  type Turn = Pick<ActionMessage, 'text' | 'language' | 'bot' | 'knowledge' | 'wordResult'> & {
    runId: string
    onceKey: string | null
    isChosen: boolean
  }
  type Reply = Pick<ActionStep, 'isCertain' | 'reply'>

  /** The visitor was asked for an input. */
  function takeInput(action: ActionRecord, { asked, attempts, values }: Pending, turn: Turn): Reply {
    const input = action.inputs.find(({ name }) => name === asked)
    if (!input) return { isCertain: false, reply: () => goOn(action, values, turn) }
    const value = readAnswer(input, turn.text, turn.language, clock())
    // Nobody else is asked what a secret might be.
    const isSecret = isSecretInput(input)
    const maskedTurn = isSecret ? { ...turn, text: MASK } : turn
    if (value === null)
      return { isCertain: isSecret, reply: () => askAgain(action, input, values, attempts, maskedTurn) }
    const collectedValues = readAll(action, turn, { ...values, [input.name]: value })
    return { isCertain: isSecret || !isQuestion(turn.text), reply: () => goOn(action, collectedValues, maskedTurn) }
  }

  /** The visitor was asked to confirm. */
  function takeConfirmation(action: ActionRecord, { values, attempts }: Pending, turn: Turn): Reply {
    const { text, language } = turn
    if (isAnswer('yesWords', text)) return { isCertain: true, reply: () => askOr(run, action, values, turn) }
    if (isAnswer('noWords', text))
      return { isCertain: true, reply: async () => plainReply(dialogueWords(language).stopped, language) }
    return { isCertain: false, reply: () => confirmAgain(action, values, attempts, turn) }
  }

  async function confirmAgain(action: ActionRecord, values: InputValues, attempts: number, turn: Turn) {
    return attempts >= MAX_ATTEMPTS ? giveUp(action, values, turn) : confirm(action, values, attempts + 1, turn)
  }

  function readAll(
    { inputs }: ActionRecord,
    { text, language }: Pick<Turn, 'text' | 'language'>,
    knownValues: InputValues,
  ) {
    return readOthers(inputs, text, language, clock(), knownValues)
  }

  /** Asks for the next input, or for confirmation, or runs. */
  async function goOn(action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    const next = isConfirmed(action, turn) ? async () => confirm(action, values, 1, turn) : run
    return askOr(next, action, values, turn)
  }

  /** Asks for the next input; does the rest when there is none. */
  async function askOr(rest: typeof run, action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    const missingInput = action.inputs.find(({ name, required }) => required && !(name in values))
    return missingInput ? ask(action, missingInput, values, 1, turn) : rest(action, values, turn)
  }

  function ask(
    action: ActionRecord,
    input: ActionInput,
    values: InputValues,
    attempts: number,
    { language, runId, isChosen }: Turn,
  ): Answer {
    const hiddenNames = secretNames(action.inputs)
    const baseState = { actionId: action.id, runId, values, language, isChosen, hidden: hiddenNames, at: clock() }
    const state: Pending = { ...baseState, asked: input.name, attempts }
    const ways = [dialogueWords(language).cancel]
    // The widget has buttons for the choices.
    const listsChoices = session.channel === 'api'
    return {
      ...askFor(input, { language, attempt: attempts, listsChoices, ways }),
      action: { id: action.id, status: 'asking', state: JSON.stringify(state) },
    }
  }

  async function askAgain(
    action: ActionRecord,
    input: ActionInput,
    values: InputValues,
    attempts: number,
    turn: Turn,
  ): Promise<Answer> {
    return attempts >= MAX_ATTEMPTS ? giveUp(action, values, turn) : ask(action, input, values, attempts + 1, turn)
  }

  function confirm(action: ActionRecord, values: InputValues, attempts: number, turn: Turn): Answer {
    const { language, runId, isChosen } = turn
    const words = dialogueWords(language)
    const hiddenNames = secretNames(action.inputs)
    const baseState = { actionId: action.id, runId, values, language, isChosen, hidden: hiddenNames, at: clock() }
    const state: Pending = { ...baseState, asked: null, attempts }
    return {
      ...plainReply(
        [`**${plain(action.name)}**`, ...summary(action, values, language), '', words.confirm].join('\n'),
        language,
      ),
      buttons: [words.yes, words.no].map(replyButton),
      action: { id: action.id, status: 'confirming', state: JSON.stringify(state) },
    }
  }

  async function run(action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    const { language, runId: id, onceKey } = turn
    const words = dialogueWords(language)
    const inputs = maskInputs(action.inputs, values)
    const isStarted =
      !isLogged ||
      (await actionRuns.start({
        botId: bot.id,
        id,
        actionId: action.id,
        conversationId: session.conversationId,
        inputs,
        onceKey,
        isTest: isPlayground,
        createdAt: clock(),
      }))
    // A second click, or the same message on another node.
    if (!isStarted) return { ...plainReply(words.already, language), action: { id: action.id, status: 'done' } }
    const { response, ...result } = await perform(action, id, values)
    const report = { id, actionName: action.name, inputs, ...result }
    if (result.failure !== null) return fail(action, values, turn, { text: words.failed, run: report })
    const doneText = action.kind === 'lead' ? words.leadDone : words.done
    const listing = renderAnswer(action.answerTemplate, values, response, { done: doneText })
    const text =
      action.answerTemplate === null && response !== null
        ? await word(action, values, response, listing, turn)
        : listing
    return {
      ...plainReply(text, language),
      action: {
        id: action.id,
        status: 'done',
        ...(isLogged ? { run: report } : {}),
        ...(action.kind === 'lead' && !isPlayground ? { lead: toLead(values) } : {}),
      },
    }
  }

  /** Freely worded by the bot's language model, if it has one. */
  async function word(
    action: ActionRecord,
    values: InputValues,
    response: unknown,
    listing: string,
    { text: messageText, language, bot: voice, wordResult }: Turn,
  ): Promise<string> {
    if (!wordResult) return listing
    const botVoice = { name: voice.name, tone: voice.tone }
    const inputs = maskInputs(action.inputs, values)
    const question = maskValues(messageText, secretsOf(values, secretNames(action.inputs)))
    const result = {
      question,
      language,
      action: { name: action.name, inputs },
      response: shortened(response).response,
      bot: botVoice,
    }
    const { text, isComplete } = await wordResult(result)
    if (isComplete) return text
    return text === '' ? listing : `${text} …\n\n${listing}`
  }

  async function perform(action: ActionRecord, id: string, values: InputValues): Promise<RunResult> {
    const nothing = { failure: null, status: null, durationMs: 0 }
    if (session.usesSamples) return { ...nothing, response: action.sample }
    if (action.kind === 'lead') return { ...nothing, response: null }
    const { userId: user_id = null, email = null, name = null } = session.user ?? {}
    return runAction(action, id, { ...values, ...visitorValues({ user_id, email, name }) })
  }

  function giveUp(action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    return fail(action, values, turn, { text: dialogueWords(turn.language).tooOften })
  }

  /** Honest about it, with a way to reach people, who see what was collected. */
  async function fail(
    action: ActionRecord,
    values: InputValues,
    { text: messageText, language, bot: voice, knowledge }: Turn,
    { text, run: report }: { text: string; run?: NonNullable<ActionProgress['run']> },
  ): Promise<Answer> {
    const isAlone = session.channel === 'api' || !(voice.hasPeople || voice.hasContactForm)
    const contact = isAlone ? await findContact(knowledge, language, voice.siteUrl) : undefined
    const reachUs = contact ? [reachUsSentence(sentencesFor(voice, language), contact)] : []
    const heading = dialogueWords(bot.language).note.replace('{action}', () => action.name)
    return {
      ...plainReply(joinSentences([text, ...reachUs], language), language),
      answered: false,
      ...(contact ? { contact } : {}),
      action: {
        id: action.id,
        status: 'failed' as const,
        note: [heading, ...noteLines(action, values)].join('\n'),
        message: maskValues(messageText, secretsOf(values, secretNames(action.inputs))),
        ...(report ? { run: report } : {}),
      },
    }
  }
}

function noteLines({ inputs }: ActionRecord, values: InputValues): string[] {
  const maskedValues = maskInputs(inputs, values)
  const filledInputs = inputs.filter(({ name }) => name in maskedValues)
  return filledInputs.map(({ name, description }) => `${description}: ${maskedValues[name]}`)
}

function summary({ inputs }: ActionRecord, values: InputValues, language: string): string[] {
  return inputs.flatMap((input) => {
    const value = values[input.name]
    if (value === undefined) return []
    return [
      `- ${plain(input.description)}${punctuationOf(language).colon}${plain(spokenValue(input, value, language))}`,
    ]
  })
}

/** What a language model chose changes nothing without the visitor's "yes", whatever the owner allows otherwise. */
function isConfirmed({ confirm, request }: ActionRecord, { isChosen }: Pick<Pending, 'isChosen'>): boolean {
  return confirm || (isChosen && request !== null && request.method !== 'GET')
}

const UNTOLD = '(The result of an action, which is not repeated here.)'

/** The history as a language model may know it: without what other systems responded, and without secrets. */
export function forModel(history: readonly HistoryTurn[]): HistoryTurn[] {
  return withoutSecrets(history.map((turn) => (turn.isUntrusted ? { ...turn, text: UNTOLD } : turn)))
}

/** Masks secrets that the visitor was asked for, wherever they were repeated. */
function withoutSecrets(history: HistoryTurn[]): HistoryTurn[] {
  const states = history.map(({ action }) => readCollected(action ?? null))
  const secrets = states.flatMap(({ values, hidden }) => secretsOf(values, hidden))
  return history.map((turn, index) => {
    const { asked, hidden = [] } = states[index - 1] ?? {}
    const text = maskValues(turn.text, secrets)
    if (turn.role !== 'user') return { ...turn, text }
    return { ...turn, text: asked && isHidden(asked, hidden) ? MASK : maskSecrets(text) }
  })
}

/** What any question has collected, those before a handover included. */
function readCollected(state: string | null): Pick<Pending, 'values' | 'asked' | 'hidden'> {
  const { values, asked, hidden } = parsed(state)
  return {
    values: typeof values === 'object' && values !== null ? { ...values } : {},
    asked: typeof asked === 'string' ? asked : null,
    hidden: Array.isArray(hidden) ? hidden : [],
  }
}

function isHidden(name: string, hiddenNames: readonly string[]): boolean {
  return isSecretName(name) || hiddenNames.includes(name)
}

/** As given, and as a confirmation repeats them. */
function secretsOf(values: InputValues, hiddenNames: readonly string[]): string[] {
  const secrets = Object.entries(values).filter(([name]) => isHidden(name, hiddenNames))
  return secrets.flatMap(([, value]) => [String(value), plain(value)]).filter((secret) => secret !== '')
}

/** In any case, because a pattern may have read a value in capitals. */
function maskValues(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replace(new RegExp(RegExp.escape(secret), 'giu'), MASK), text)
}

/** Sent back by the playground, so nothing of it is taken for granted. */
function readPending(state: string | null): Pending | null {
  const { actionId, runId, values, asked, attempts, language, isChosen, at } = parsed(state)
  const isWhole =
    typeof actionId === 'string' &&
    typeof runId === 'string' &&
    typeof values === 'object' &&
    values !== null &&
    (asked === null || typeof asked === 'string') &&
    typeof attempts === 'number' &&
    typeof language === 'string' &&
    typeof at === 'number'
  if (!isWhole) return null
  // States of earlier versions do not say who chose.
  return { ...readCollected(state), actionId, runId, attempts, language, isChosen: isChosen === true, at }
}

function parsed(state: string | null): Partial<Record<keyof Pending, unknown>> {
  try {
    return JSON.parse(state ?? 'null') ?? {}
  } catch {
    return {}
  }
}

/** The owner may have changed the inputs meanwhile. */
function stillValid({ inputs }: ActionRecord, values: Record<string, InputValue>): InputValues {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const value = input.name in values ? checkInput(input, values[input.name] as InputValue) : null
      return value === null ? [] : [[input.name, value]]
    }),
  )
}

const LEAD_FIELDS = ['name', 'email', 'phone', 'message']

function toLead(values: InputValues): ActionLead {
  const text = (name: string) => (values[name] === undefined ? null : String(values[name]))
  const others = Object.entries(values).filter(([name]) => !LEAD_FIELDS.includes(name))
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    message: text('message'),
    fields: Object.fromEntries(others.map(([name, value]) => [name, String(value)])),
  }
}
