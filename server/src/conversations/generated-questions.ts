// Questions that a bot's language model writes for its sections: switch, progress, cost; then the writing.

import { randomUUID } from 'node:crypto'
import { type BodyOf, Fault, type GeneratedQuestions, type Routes } from '@docent/contract'
import { estimateCall } from '../answers/language-model/generate-questions.ts'
import type { Context } from '../context.ts'
import { CLOCK_SKEW_MS, DAY_MS, utcDay } from '../days.ts'
import type { BotRecord, LanguageModelRecord } from '../storage/bots.ts'
import { StorageError } from '../storage/database.ts'
import type { Section } from '../storage/generated-questions.ts'
import type { Storage } from '../storage/storage.ts'
import { priceOf } from './language-models.ts'

export interface GeneratedQuestionDeps extends Pick<Storage, 'bots' | 'generatedQuestions'>, Pick<Context, 'clock'> {
  /** Called when it was switched on or off. */
  onChanged: () => void
  /** Called when questions were removed. */
  onCleared: (botId: string) => void
}

type Change = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/generated-questions']>

export async function readGeneratedQuestions(
  { bots, generatedQuestions, clock }: GeneratedQuestionDeps,
  bot: BotRecord,
) {
  const { id, languageModel } = bot
  const { dueAt, ...state } = await generatedQuestions.find(id)
  const { passages: total } = await bots.countKnowledge(id)
  const waiting = await generatedQuestions.countWaiting(id)
  const isPaused = state.enabled && waiting.passages > 0 && dueAt > clock()
  const status: GeneratedQuestions['status'] = !state.enabled
    ? 'off'
    : waiting.passages === 0
      ? 'done'
      : isPaused
        ? 'waiting'
        : 'writing'
  return {
    ...state,
    status,
    sections: { total, written: Math.max(0, total - waiting.passages) },
    estimate: estimate(waiting, languageModel),
    pausedUntil: isPaused ? dueAt : null,
  }
}

export async function changeGeneratedQuestions(
  { generatedQuestions, onChanged }: GeneratedQuestionDeps,
  bot: BotRecord,
  { enabled, daily_calls: dailyCalls }: Change,
): Promise<void> {
  if (enabled && !bot.languageModel) {
    throw new Fault('validation_failed', { details: [{ path: 'enabled', message: 'Set up a language model first.' }] })
  }
  await generatedQuestions.change(bot.id, { enabled, dailyCalls })
  onChanged()
}

export async function clearGeneratedQuestions(
  { generatedQuestions, onChanged, onCleared }: GeneratedQuestionDeps,
  bot: BotRecord,
): Promise<void> {
  await generatedQuestions.clear(bot.id)
  onChanged()
  onCleared(bot.id)
}

function estimate(
  { passages, averageCharacters }: { passages: number; averageCharacters: number },
  model: LanguageModelRecord | null,
): GeneratedQuestions['estimate'] {
  const sections = sectionsPerCall(averageCharacters)
  const calls = Math.ceil(passages / sections)
  const call = estimateCall(passages / Math.max(1, calls), averageCharacters)
  const usage = {
    inputTokens: Math.ceil(calls * call.inputTokens),
    outputTokens: Math.ceil(calls * call.outputTokens),
    estimated: true,
  }
  const isPriced = model && (model.inputPricePerMillion !== null || model.outputPricePerMillion !== null)
  return {
    calls,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost: isPriced ? priceOf(usage, model) : null,
  }
}

// Has a model write questions for passages, in the background: one bot at a time, under a lease, a few passages per
// call. Each call's result is stored with its passages, so a crash loses one call at most.

const SECTIONS_PER_CALL = 8
// Small models accept only short prompts.
const CHARACTERS_PER_CALL = 8000
// Then the next bot gets its turn.
const SLICE_MS = 20_000
const LEASE_MS = 60_000
const HEARTBEAT_MS = 1000
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 3_600_000
/** The model's answer was unusable, and would be again for a section by itself. */
const FRUITLESS = ['malformed', 'refused', 'too_long']

interface QuestionCall {
  /** Absent when it failed. */
  questions?: string[][]
  outcome: string
  inputTokens: number
  outputTokens: number
  cost: number
  retryAfterMs: number | null
}

/** Null for a bot without a model; 'daily_limit' when its daily calls are used up. */
export type AskOutcome = QuestionCall | 'daily_limit' | null

interface Neighbours {
  ask: (bot: BotRecord, sections: Section[], signal: AbortSignal) => Promise<AskOutcome>
  /** Called when a bot is done or paused. */
  onWritten: (botId: string) => void
}

export function openQuestionGenerator({ storage, clock }: Context, { ask, onWritten }: Neighbours) {
  const { bots, generatedQuestions } = storage
  const closing = new AbortController()
  let checkLease = () => {}
  let lastWorkAt = clock()

  /** After the clock was set back, scheduled bots would wait that much longer. */
  async function capWaits() {
    const now = clock()
    if (now < lastWorkAt - CLOCK_SKEW_MS)
      await generatedQuestions.capWaits(now, { leaseMs: LEASE_MS, retryMs: LONGEST_WAIT_MS })
    lastWorkAt = now
  }

  /** Makes one call. Returns when to continue: at once (null), or at a time. */
  async function writeSome(botId: string, lease: string): Promise<number | null> {
    const { failures } = await generatedQuestions.find(botId)
    // After a failure one by one: a section that no model can read must not block the others.
    const sections = takeFitting(await generatedQuestions.listWaiting(botId, failures > 0 ? 1 : SECTIONS_PER_CALL))
    const bot = await bots.findById(botId)
    if (!bot || sections.length === 0) return clock()
    const today = utcDay(clock())
    if (!(await generatedQuestions.countGenerationCall(botId, lease, today))) return (today + 1) * DAY_MS
    const call = await whileHeld(botId, lease, (signal) => ask(bot, sections, signal))
    if (!call) return clock()
    if (call === 'daily_limit') return (today + 1) * DAY_MS
    const { questions, outcome, retryAfterMs, ...usage } = call
    await generatedQuestions.spend(botId, { day: today, outcome, ...usage })
    if (questions) {
      await generatedQuestions.store(botId, lease, pairWithQuestions(sections, questions))
      return null
    }
    if (outcome === 'aborted') return clock()
    if (sections.length === 1 && FRUITLESS.includes(outcome))
      await generatedQuestions.store(botId, lease, pairWithQuestions(sections))
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
    const dueAt = clock() + Math.max(waitMs, Math.min(retryAfterMs ?? 0, DAY_MS))
    await generatedQuestions.fail(botId, lease, { failures: failures + 1, reason: outcome, at: clock() })
    return dueAt
  }

  /** Aborts the call as soon as the bot is switched off, deleted, or leased by another node. */
  async function whileHeld<T>(botId: string, lease: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const leaseLoss = new AbortController()
    checkLease = async () => {
      const isHeld = await generatedQuestions.renew(botId, lease, clock() + LEASE_MS).catch(() => true)
      if (!isHeld) leaseLoss.abort()
    }
    const heartbeat = setInterval(checkLease, HEARTBEAT_MS)
    return work(AbortSignal.any([closing.signal, leaseLoss.signal])).finally(() => clearInterval(heartbeat))
  }

  return {
    /** Works on one bot for a while, if any is due. */
    async work(): Promise<void> {
      await capWaits()
      const lease = randomUUID()
      const botId = await generatedQuestions.claim(lease, clock(), clock() + LEASE_MS)
      if (botId === undefined) return
      const sliceEnds = performance.now() + SLICE_MS
      let dueAt: number | null = null
      try {
        while (dueAt === null && !closing.signal.aborted && performance.now() < sliceEnds) {
          dueAt = await writeSome(botId, lease)
        }
      } catch (error) {
        // The bot was deleted meanwhile, and the row with it.
        if (error instanceof StorageError && error.kind === 'foreign_key') return
        dueAt = clock() + FIRST_WAIT_MS
        throw error
      } finally {
        await generatedQuestions.release(botId, lease, dueAt ?? clock())
      }
      if (dueAt !== null) onWritten(botId)
    },
    /** Ends the running call if it is no longer wanted. */
    checkLease: () => checkLease(),
    /** Ends the running call. */
    close: () => closing.abort(),
  }
}

function pairWithQuestions(sections: Section[], questions: string[][] = []) {
  return sections.map((section, index) => ({ section, questions: questions[index] ?? [] }))
}

/** How many sections of this length fit into one call. */
function sectionsPerCall(characters: number): number {
  return Math.max(1, Math.min(SECTIONS_PER_CALL, Math.floor(CHARACTERS_PER_CALL / Math.max(1, characters))))
}

/** Always includes the first. */
function takeFitting(sections: Section[]): Section[] {
  let characters = 0
  return sections.filter(({ text }, index) => {
    characters += text.length
    return index === 0 || characters <= CHARACTERS_PER_CALL
  })
}
