// Test questions: asked again when somebody wants it, or a while after content changed. One run is worked on by one
// node, under a lease; each result is stored as it comes, so that another node can go on after a crash.
import { randomUUID } from 'node:crypto'
import { type BodyOf, Fault, MAX_TEST_QUESTIONS, type Routes } from '@docent/contract'
import type { Answer } from '../answers/types.ts'
import type { Context } from '../context.ts'
import { randomId, timedId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import { StorageError } from '../storage/database.ts'
import type { TestOutcome, TestQuestionRecord } from '../storage/test-questions.ts'
import type { TryMessage } from './answer-message.ts'

// A crawl changes content page by page: wait until it rests, but not forever.
const QUIET_MS = 20_000
const LONGEST_WAIT_MS = 15 * 60_000
const LEASE_MS = 5 * 60_000
// Then the run of the next bot gets its turn.
const SLICE_MS = 20_000
const RETRY_MS = 30_000
const REPLY_LENGTH = 2000
// Visitors first: their questions need the same models.
const BUSY_WAIT_MS = 250
const LONGEST_BUSY_MS = 5000

interface Neighbours {
  tryMessage: TryMessage
  /** Progress of a bot's passage vectors: before they are complete, answers are worse than they will be. */
  embedding: (botId: string) => Promise<{ complete: boolean }>
  /** Whether a visitor asked something just now. */
  isBusy: () => boolean
}

type CreateInput = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/test-questions']>
type ChangeInput = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/test-questions/{questionId}']>

export function openTestQuestions(context: Context, { tryMessage, embedding, isBusy }: Neighbours) {
  const { storage, clock, onError } = context
  const { bots, testQuestions, testRuns } = storage
  let isClosing = false

  async function startRun(botId: string, cause: 'request' | 'content') {
    const now = clock()
    return testRuns.start(botId, { id: timedId('tst', now), cause, now })
  }

  /** Starts runs of bots whose content has changed and rests now. */
  async function startDue() {
    for (const changedBot of await testRuns.listChanged()) {
      const { botId, seen, current, dueAt } = changedBot
      const now = clock()
      const changedAt = Math.min(changedBot.changedAt ?? now, now)
      if (seen !== current) {
        await testRuns.notice(changedBot, { changedAt, dueAt: Math.min(now + QUIET_MS, changedAt + LONGEST_WAIT_MS) })
        continue
      }
      // Later than possible: the clock was set back.
      const rests = dueAt <= now || dueAt > now + QUIET_MS
      if (rests && (now - changedAt >= LONGEST_WAIT_MS || (await embedding(botId)).complete))
        await startRun(botId, 'content')
    }
  }

  async function waitForVisitors() {
    const end = performance.now() + LONGEST_BUSY_MS
    while (isBusy() && !isClosing && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS))
  }

  /** Null: answering failed, which must not keep the run from its other questions. */
  async function ask(bot: BotRecord, question: string): Promise<Answer | null> {
    try {
      return (await tryMessage(bot, question, [], { asVisitor: true })).answer
    } catch (error) {
      // The run goes on with this question later.
      if (error instanceof StorageError || isClosing) throw error
      onError(error)
      return null
    }
  }

  async function workOn(run: { botId: string; id: string }, lease: string): Promise<'finished' | 'interrupted'> {
    const sliceEnds = performance.now() + SLICE_MS
    while (!isClosing && performance.now() < sliceEnds) {
      await waitForVisitors()
      if (!(await testRuns.renew(run.botId, run.id, lease, clock() + LEASE_MS))) return 'interrupted'
      const bot = await bots.findById(run.botId)
      const question = await testRuns.nextQuestion(run.botId, run.id)
      if (!bot || !question) return 'finished'
      const answer = await ask(bot, question.question)
      const { text, sources } = answer ?? { text: '', sources: [] }
      const result = { reply: text.slice(0, REPLY_LENGTH), sources, at: clock() }
      const outcome = outcomeOf(question, answer !== null && meets(question, answer))
      const before = { worse: question.lastPassed, better: question.result, passed: null, failed: null }[outcome]
      await testRuns.record(run, lease, question, { outcome, result, before })
    }
    return 'interrupted'
  }

  return {
    async create(botId: string, input: CreateInput): Promise<TestQuestionRecord> {
      if ((await testQuestions.count(botId)) >= MAX_TEST_QUESTIONS) throw new Fault('too_many_test_questions')
      const now = clock()
      const record: TestQuestionRecord = {
        id: randomId('tq'),
        question: input.question.trim(),
        expectedText: input.expected_text?.trim() ?? null,
        expectedSource: input.expected_source?.trim() ?? null,
        createdAt: now,
        updatedAt: now,
        outcome: null,
        result: null,
        lastPassed: null,
      }
      await testQuestions.insert(botId, record)
      return record
    },

    async update(botId: string, id: string, input: ChangeInput): Promise<TestQuestionRecord> {
      const record = await testQuestions.update(botId, id, {
        question: input.question?.trim(),
        expectedText: trimmed(input.expected_text),
        expectedSource: trimmed(input.expected_source),
        updatedAt: clock(),
      })
      if (!record) throw new Fault('not_found')
      return record
    },

    /** The run that was started, or the one in progress. */
    async run(botId: string) {
      const id = await startRun(botId, 'request')
      const run = id === undefined ? undefined : await testRuns.find(botId, id)
      if (!run) throw new Fault('no_test_questions')
      return run
    },

    /** Starts what is due, and works on one run, if there is any. */
    async work(): Promise<void> {
      await startDue()
      const lease = randomUUID()
      const run = await testRuns.claim(lease, clock(), clock() + LEASE_MS)
      if (!run) return
      let dueAt = clock() + RETRY_MS
      try {
        const end = await workOn(run, lease)
        if (end === 'finished') return await testRuns.finish(run.botId, run.id, lease, clock())
        dueAt = clock()
      } catch (error) {
        // The bot was deleted meanwhile, and the run with it.
        if (error instanceof StorageError && error.kind === 'foreign_key') return
        throw error
      } finally {
        // Changes nothing of a finished run, whose lease has ended.
        await testRuns.release(run.botId, run.id, lease, dueAt)
      }
    },

    /** Ends after the question in progress. */
    close() {
      isClosing = true
    },
  }
}

/** Worse as long as it fails after having passed once, not only in the run in which it began to. */
function outcomeOf({ outcome, lastPassed }: TestQuestionRecord, passes: boolean): TestOutcome {
  if (!passes) return lastPassed ? 'worse' : 'failed'
  return outcome === 'failed' || outcome === 'worse' ? 'better' : 'passed'
}

function meets(
  { expectedText, expectedSource }: Pick<TestQuestionRecord, 'expectedText' | 'expectedSource'>,
  { text, sources, documentIds, answered }: Answer,
): boolean {
  if (expectedText === null && expectedSource === null) return answered
  const cites = (expected: string) =>
    documentIds.includes(documentOf(expected) ?? expected) ||
    sources.some(({ url }) => comparableUrl(url) === comparableUrl(expected))
  return (
    (expectedText === null || comparableText(text).includes(comparableText(expectedText))) &&
    (expectedSource === null || cites(expectedSource))
  )
}

/** Without case, Markdown emphasis and the kind of spaces. */
function comparableText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`]/g, '')
    .replace(/[‐-―]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Of the address of a reading page, which changes with the bot and the instance. */
function documentOf(url: string): string | undefined {
  const id = /^https?:\/\/[^/]+\/sources\/[^/]+\/([^/?#]+)/.exec(url)?.[1]
  return id && decodeUrl(id)
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Without the section, a last slash and "www.". */
function comparableUrl(url: string): string {
  return url
    .replace(/#.*$/, '')
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/\/$/, '')
}

function trimmed(text: string | null | undefined): string | null | undefined {
  return text?.trim() ?? text
}
