// How a bot carries out an action in a conversation, without a language model: recognises what is wanted, reads the
// inputs out of messages or asks for them one at a time, has it confirmed, runs it, and says what came of it.
import type { ActionInput } from '@docent/contract'
import { sharesContent } from '../answers/answer-question.ts'
import { curatedConfidence } from '../answers/confidence/curated-confidence.ts'
import { reachUsSentence, sentencesFor } from '../answers/fall-back.ts'
import { findContact } from '../answers/find-contact.ts'
import type {
  ActionLead,
  ActionMessage,
  ActionProgress,
  ActionSession,
  ActionStep,
  Actions,
  Answer,
  Button,
} from '../answers/types.ts'
import { timedId } from '../ids.ts'
import { withoutValues } from '../language/without-values.ts'
import { type ActionRecord, type ActionRunsTable, type ActionsTable, notForId } from '../storage/actions.ts'
import type { BotRecord } from '../storage/bots.ts'
import { dialogueWords, isAnswer } from './dialogue-words.ts'
import { checkInput, type InputValue, type InputValues, maskInputs, readInput } from './inputs.ts'
import type { RunAction, RunResult } from './run.ts'
import { plain, renderAnswer } from './templates.ts'

const WAITS_MS = 30 * 60_000
const MAX_ATTEMPTS = 3
const MAX_ACTIONS = 15

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
  at: number
}

interface Deps {
  actions: Pick<ActionsTable, 'find' | 'list'>
  actionRuns: Pick<ActionRunsTable, 'start'>
  runAction: RunAction
  clock: () => number
}

/** Undefined for bots without actions. */
export type ActionsOf = (bot: BotRecord, session: ActionSession) => Actions | undefined

export function makeActionsOf(deps: Deps): ActionsOf {
  return (bot, session) => (bot.actionsVersion === 0 ? undefined : openDialogue(deps, bot, session))
}

function openDialogue(
  { actions, actionRuns, runAction, clock }: Deps,
  bot: BotRecord,
  session: ActionSession,
): Actions {
  const isPlayground = session.channel === 'playground'

  function isBarred({ audience }: ActionRecord): boolean {
    return audience === 'verified' && !session.isVerified
  }

  function isUsable({ state, kind }: ActionRecord): boolean {
    // Leads belong to visitors, whom the chat API does not know.
    return (state === 'live' || isPlayground) && (kind === 'http' || session.channel !== 'api')
  }

  return {
    async proceed(message) {
      const pending = readPending(session.pending)
      if (!pending || clock() - pending.at > WAITS_MS || message.isForPerson) return null
      const action = await actions.find(bot.id, pending.actionId)
      if (!action || !isUsable(action) || isBarred(action)) return null
      const values = stillValid(action, pending.values)
      const step = pending.asked === null ? confirmed : given
      const held: ActionProgress = {
        id: action.id,
        status: pending.asked === null ? 'confirming' : 'asking',
        state: JSON.stringify({ ...pending, at: clock() }),
      }
      const { language } = pending
      if (isAnswer('cancelWords', message.text))
        return { isCertain: true, reply: async () => plainReply(dialogueWords(language).stopped, language), held }
      // Whoever keeps the state could name any run.
      const runId = isPlayground ? newRunId() : pending.runId
      const { isCertain, reply } = step(action, { ...pending, values }, { ...message, language, runId })
      return { isCertain, reply, held }
    },

    async start(message) {
      const action = await wantedAction(message)
      if (!action) return null
      const { language } = message
      if (isBarred(action))
        return { ...plainReply(dialogueWords(language).logIn, language), action: { id: action.id, status: 'failed' } }
      return goOn(action, readAll(action, message, {}), { ...message, language, runId: newRunId() })
    },
  }

  function newRunId(): string {
    return timedId('run', clock())
  }

  /** The action whose examples the message resembles, if nothing else fits as well. */
  async function wantedAction({ text, language, bot: voice, knowledge }: ActionMessage): Promise<ActionRecord | null> {
    if (!knowledge.matchAction || knowledge.matchAction(text, language, undefined).length === 0) return null
    const vector = await knowledge.embed(text)
    const usable = (await actions.list(bot.id, '', MAX_ACTIONS)).filter(isUsable)
    const byId = new Map(usable.map((action) => [action.id, action]))
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

  type Turn = Pick<ActionMessage, 'text' | 'language' | 'bot' | 'knowledge'> & { runId: string }
  type Reply = Pick<ActionStep, 'isCertain' | 'reply'>

  /** The visitor was asked for an input. */
  function given(action: ActionRecord, { asked, attempts, values }: Pending, turn: Turn): Reply {
    const input = action.inputs.find(({ name }) => name === asked)
    if (!input) return { isCertain: false, reply: () => goOn(action, values, turn) }
    const value = readInput(input, turn.text, { ...reading(turn.language), asked: true })
    if (value === null) return { isCertain: false, reply: () => askAgain(action, input, values, attempts, turn) }
    const collected = readAll(action, turn, { ...values, [input.name]: value })
    return { isCertain: !isQuestion(turn.text), reply: () => goOn(action, collected, turn) }
  }

  /** The visitor was asked to confirm. */
  function confirmed(action: ActionRecord, { values, attempts }: Pending, turn: Turn): Reply {
    const { text, language } = turn
    if (isAnswer('yesWords', text)) return { isCertain: true, reply: () => askOr(run, action, values, turn) }
    if (isAnswer('noWords', text))
      return { isCertain: true, reply: async () => plainReply(dialogueWords(language).stopped, language) }
    const again = async () =>
      attempts >= MAX_ATTEMPTS ? giveUp(action, values, turn) : confirm(action, values, attempts + 1, turn)
    return { isCertain: false, reply: again }
  }

  function reading(language: string) {
    const isYes = (text: string) => isAnswer('yesWords', text)
    return { language, now: clock(), isYes, isNo: (text: string) => isAnswer('noWords', text) }
  }

  /** Adds what else the message says. */
  function readAll({ inputs }: ActionRecord, { text, language }: Pick<Turn, 'text' | 'language'>, known: InputValues) {
    const values = { ...known }
    for (const input of inputs) {
      if (input.name in values) continue
      const value = readInput(input, text, { ...reading(language), asked: false })
      if (value !== null) values[input.name] = value
    }
    return values
  }

  /** Asks for the next input, or for confirmation, or runs. */
  async function goOn(action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    const next = action.confirm ? async () => confirm(action, values, 1, turn) : run
    return askOr(next, action, values, turn)
  }

  /** Asks for the next input; does the rest when there is none. */
  async function askOr(rest: typeof run, action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    const missing = action.inputs.find(({ name, required }) => required && !(name in values))
    return missing ? ask(action, missing, values, 1, turn) : rest(action, values, turn)
  }

  function ask(
    action: ActionRecord,
    input: ActionInput,
    values: InputValues,
    attempts: number,
    { language, runId }: Turn,
  ): Answer {
    const words = dialogueWords(language)
    const question = input.ask ?? words.ask.replace('{input}', () => input.description)
    // The widget has buttons for them.
    const listed = session.channel === 'api' ? (input.choices ?? []).map((choice) => `- ${choice}`).join('\n') : ''
    const choices = input.type === 'boolean' ? [words.yes, words.no] : (input.choices ?? [])
    const state: Pending = { actionId: action.id, runId, values, asked: input.name, attempts, language, at: clock() }
    return {
      ...plainReply([question, listed].filter(Boolean).join('\n'), language),
      buttons: [...choices, words.cancel].map(replyButton),
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
    if (attempts >= MAX_ATTEMPTS) return giveUp(action, values, turn)
    const words = dialogueWords(turn.language)
    const why = input.type === 'string' ? words.text.replace('{input}', () => input.description) : words[input.type]
    const again = ask(action, input, values, attempts + 1, turn)
    return { ...again, text: `${why}\n\n${again.text}` }
  }

  function confirm(action: ActionRecord, values: InputValues, attempts: number, { language, runId }: Turn): Answer {
    const words = dialogueWords(language)
    const state: Pending = { actionId: action.id, runId, values, asked: null, attempts, language, at: clock() }
    return {
      ...plainReply([`**${plain(action.name)}**`, ...summary(action, values), '', words.confirm].join('\n'), language),
      buttons: [words.yes, words.no].map(replyButton),
      action: { id: action.id, status: 'confirming', state: JSON.stringify(state) },
    }
  }

  async function run(action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    const { language, runId: id } = turn
    const words = dialogueWords(language)
    const inputs = maskInputs(values)
    const started = await actionRuns.start({
      ...{ botId: bot.id, id, actionId: action.id, conversationId: session.conversationId, inputs },
      ...{ isTest: isPlayground, createdAt: clock() },
    })
    // A second click on "yes", or the same message on another node.
    if (!started) return { ...plainReply(words.already, language), action: { id: action.id, status: 'done' } }
    const { response, ...result } = await perform(action, id, values)
    const report = { id, actionName: action.name, inputs, ...result }
    if (result.failure !== null) return failed(action, values, turn, { text: words.failed, run: report })
    const done = action.kind === 'lead' ? words.leadDone : words.done
    return {
      ...plainReply(renderAnswer(action.answerTemplate, values, response, { done }), language),
      action: {
        ...{ id: action.id, status: 'done', run: report },
        ...(action.kind === 'lead' && !isPlayground ? { lead: toLead(values) } : {}),
      },
    }
  }

  async function perform(action: ActionRecord, id: string, values: InputValues): Promise<RunResult> {
    const nothing = { failure: null, status: null, durationMs: 0 }
    if (session.usesSamples) return { ...nothing, response: action.sample }
    return action.kind === 'lead' ? { ...nothing, response: null } : runAction(action, id, values)
  }

  function giveUp(action: ActionRecord, values: InputValues, turn: Turn): Promise<Answer> {
    return failed(action, values, turn, { text: dialogueWords(turn.language).tooOften })
  }

  /** Honest about it, with a way to reach people, who see what was collected. */
  async function failed(
    action: ActionRecord,
    values: InputValues,
    { language, bot: voice, knowledge }: Turn,
    { text, run: report }: { text: string; run?: NonNullable<ActionProgress['run']> },
  ): Promise<Answer> {
    const isAlone = session.channel === 'api' || !(voice.hasPeople || voice.hasContactForm)
    const contact = isAlone ? await findContact(knowledge, language, voice.siteUrl) : undefined
    const reachUs = contact ? [reachUsSentence(sentencesFor(voice, language), contact)] : []
    const heading = dialogueWords(bot.language).note.replace('{action}', () => action.name)
    return {
      ...plainReply([text, ...reachUs].join(' '), language),
      answered: false,
      ...(contact ? { contact } : {}),
      action: {
        ...{ id: action.id, status: 'failed' as const, note: [heading, ...noteLines(action, values)].join('\n') },
        ...(report ? { run: report } : {}),
      },
    }
  }
}

function noteLines({ inputs }: ActionRecord, values: InputValues): string[] {
  const masked = maskInputs(values)
  const given = inputs.filter(({ name }) => name in masked)
  return given.map(({ name, description }) => `${description}: ${masked[name]}`)
}

function summary({ inputs }: ActionRecord, values: InputValues): string[] {
  const given = inputs.filter(({ name }) => name in values)
  return given.map(({ name, description }) => `- ${plain(description)}: ${plain(values[name])}`)
}

function replyButton(label: string, index: number): Button {
  return { id: `choice-${index + 1}`, type: 'reply', label, value: label }
}

function plainReply(text: string, language: string): Answer {
  return {
    ...{ text, sources: [], documentIds: [], confidence: 1, answered: true, language, buttons: [] },
    decision: 'action',
    asksNothing: true,
  }
}

function isQuestion(text: string): boolean {
  return /[?？؟]\s*$/u.test(text)
}

/** Sent back by the playground, so nothing of it is taken for granted. */
function readPending(state: string | null): Pending | null {
  try {
    const { actionId, runId, values, asked, attempts, language, at } = JSON.parse(state ?? 'null') ?? {}
    const isWhole =
      typeof actionId === 'string' &&
      typeof runId === 'string' &&
      typeof values === 'object' &&
      values !== null &&
      (asked === null || typeof asked === 'string') &&
      typeof attempts === 'number' &&
      typeof language === 'string' &&
      typeof at === 'number'
    return isWhole ? { actionId, runId, values, asked, attempts, language, at } : null
  } catch {
    return null
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
    ...{ name: text('name'), email: text('email'), phone: text('phone'), message: text('message') },
    fields: Object.fromEntries(others.map(([name, value]) => [name, String(value)])),
  }
}
