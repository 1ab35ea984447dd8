// A bot's metrics over time, from half-hourly counts.
import { type Analytics, type AnalyticsInterval, Fault, type WorkspaceAnalytics } from '@docent/contract'
import type { Context } from '../context.ts'
import { DAY_MS, dayText } from '../days.ts'
import { isTimezone, localDay, startOfLocalDay } from '../local-time.ts'
import type { Activity, ActivityRecord } from '../storage/activity.ts'
import type { ResolutionRecord } from '../storage/resolutions.ts'
import { timestamp } from '../timestamps.ts'
import { resolutionOf, sumResolutions } from './resolution.ts'

const TOP = 10

export type ReadAnalytics = (botId: string, range: AnalyticsRange, top?: number) => Promise<Analytics>

export function makeReadAnalytics({ storage, clock }: Context): ReadAnalytics {
  const { activity, questions, resolutions } = storage
  return async (botId, { timezone, interval, from, to, points, whole }, top = TOP) => {
    const { since, until } = whole
    const now = clock()
    const [records, endedConversations, topQuestions, topPages] = await Promise.all([
      activity.list([botId], points),
      resolutions.list([botId], points, now),
      questions.listTop(botId, since, until, top),
      resolutions.listByPage(botId, whole, now, top),
    ])
    const byPoint = Map.groupBy(records, ({ place }) => place)
    const endedByPoint = Map.groupBy(endedConversations, ({ place }) => place)
    return {
      from: dayText(from),
      to: dayText(to),
      timezone,
      interval,
      totals: figures(records, endedConversations),
      series: points.map((point, index) => ({
        start: dayText(point.start),
        since: timestamp(point.since),
        until: timestamp(point.until),
        ...figures(byPoint.get(index) ?? [], endedByPoint.get(index) ?? []),
      })),
      channels: (['api', 'widget'] as const).map((channel) => ({
        channel,
        ...figures(
          records.filter((record) => record.channel === channel),
          endedConversations.filter((record) => record.channel === channel),
        ),
      })),
      languages: [...Map.groupBy(endedConversations, ({ language }) => language)]
        .map(([language, some]) => ({ language, resolution: resolutionOf(some) }))
        .sort((a, b) => b.resolution.conversations - a.resolution.conversations),
      top_questions: topQuestions.map(({ text, count, answered, lowConfidence, lastAskedAt, conversationId }) => ({
        question: text,
        count,
        answered,
        low_confidence: lowConfidence,
        last_asked_at: timestamp(lastAskedAt),
        conversation_id: conversationId,
      })),
      top_pages: topPages.map(({ url, started, ...outcomes }) => ({
        url,
        conversations: started,
        resolution: sumResolutions([outcomes]),
      })),
    }
  }
}

export type CompareBots = (workspaceId: string, range: AnalyticsRange) => Promise<WorkspaceAnalytics>

export function makeCompareBots({ storage, clock }: Context): CompareBots {
  const { bots, activity, resolutions } = storage
  return async (workspaceId, { timezone, from, to, whole }) => {
    const all = await bots.listNames(workspaceId)
    const botIds = all.map(({ id }) => id)
    const [records, endedConversations] = await Promise.all([
      activity.list(botIds, [whole]),
      resolutions.list(botIds, [whole], clock()),
    ])
    const byBot = Map.groupBy(records, ({ botId }) => botId)
    const endedByBot = Map.groupBy(endedConversations, ({ botId }) => botId)
    return {
      from: dayText(from),
      to: dayText(to),
      timezone,
      bots: all
        .map(({ id, name }) => ({ id, name, ...figures(byBot.get(id) ?? [], endedByBot.get(id) ?? []) }))
        .sort((a, b) => b.questions - a.questions),
    }
  }
}

export function figures(records: ActivityRecord[], endedConversations: ResolutionRecord[]): Analytics['totals'] {
  const sum = (field: keyof Activity) => records.reduce((total, record) => total + record[field], 0)
  const questions = sum('questions')
  const answeredCount = sum('answered')
  const perQuestion = (total: number) => (questions === 0 ? null : Math.round((total / questions) * 1000) / 1000)
  return {
    resolution: resolutionOf(endedConversations),
    conversations: sum('conversations'),
    messages: sum('messages'),
    questions,
    answered: answeredCount,
    low_confidence: sum('lowConfidence'),
    answered_share: perQuestion(answeredCount),
    mean_confidence: perQuestion(sum('confidence')),
    ratings_up: sum('ratingsUp'),
    ratings_down: sum('ratingsDown'),
    handovers_requested: sum('handoversRequested'),
    handovers_accepted: sum('handoversAccepted'),
    leads: sum('leads'),
  }
}

const DEFAULT_DAYS = 30
const MAX_POINTS = 400
// 1970-01-01 and 9999-12-31.
const FIRST_DAY = 0
const LAST_DAY = 2_932_896

export interface AnalyticsRange {
  timezone: string
  interval: AnalyticsInterval
  /** Days since 1970, inclusive. */
  from: number
  to: number
  /** Oldest first. The first may start mid-interval. */
  points: Period[]
  whole: Period
}

interface Period {
  /** First day of the interval, even if before the range. */
  start: number
  since: number
  /** Exclusive. */
  until: number
}

interface AnalyticsRangeInput {
  from?: string | undefined
  to?: string | undefined
  interval?: AnalyticsInterval | undefined
  timezone?: string | undefined
}

export function parseAnalyticsRange(input: AnalyticsRangeInput, now: number): AnalyticsRange {
  const { from, to, interval = 'day', timezone = 'UTC' } = input
  requireTimezone(timezone)
  const last = to === undefined ? localDay(now, timezone) : dayOf('to', to, timezone)
  const first = from === undefined ? Math.max(FIRST_DAY, last - DEFAULT_DAYS + 1) : dayOf('from', from, timezone)
  if (first > last) throw invalid('from', 'Use a day on or before `to`.')
  const starts: number[] = []
  for (let start = startOf(first, interval); start <= last; start = startOf(start + stepDays[interval], interval)) {
    if (starts.length === MAX_POINTS)
      throw invalid('from', `This range has more than ${MAX_POINTS} points. Use a longer interval.`)
    starts.push(start)
  }
  const times = starts.map((start) => startOfLocalDay(Math.max(start, first), timezone))
  const until = startOfLocalDay(last + 1, timezone)
  const points = starts.map((start, index) => ({
    start,
    since: times[index] ?? until,
    until: times[index + 1] ?? until,
  }))
  const whole = { start: first, since: points[0]?.since ?? until, until }
  return { timezone, interval, from: first, to: last, points, whole }
}

export function requireTimezone(timezone = 'UTC'): string {
  if (!isTimezone(timezone)) throw invalid('timezone', 'Use a time zone such as Europe/Vienna.')
  return timezone
}

/** Adding this many days to an interval's first day reaches the next interval. */
const stepDays: Record<AnalyticsInterval, number> = { day: 1, week: 7, month: 31 }

/** First day of the interval that contains a day. */
function startOf(day: number, interval: AnalyticsInterval): number {
  // 1970-01-01 was a Thursday.
  if (interval === 'week') return day - ((day + 3) % 7)
  if (interval === 'month') return day - new Date(day * DAY_MS).getUTCDate() + 1
  return day
}

function dayOf(path: string, text: string, timezone: string): number {
  const time = Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text)
  const isZoned = text.length === 10 || /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const day = text.length === 10 ? time / DAY_MS : Number.isNaN(time) ? time : localDay(time, timezone)
  // Date.parse would read February 30 as March 2.
  const exists =
    !Number.isNaN(Date.parse(`${text.slice(0, 10)}T00:00:00Z`)) &&
    dayText(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / DAY_MS) === text.slice(0, 10)
  if (!isZoned || !exists || !(day >= FIRST_DAY && day <= LAST_DAY)) {
    throw invalid(path, 'Use a day such as 2026-11-30, or a time in RFC 3339.')
  }
  return day
}

function invalid(path: string, message: string): Fault {
  return new Fault('validation_failed', { details: [{ path, message }] })
}
