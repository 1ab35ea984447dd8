// A bot's metrics over time, from half-hourly counts.
import type { Analytics } from '@docent/contract'
import type { Activity, ActivityRecord, ActivityTable } from '../storage/activity.ts'
import type { ConversationsTable } from '../storage/conversations.ts'
import type { QuestionsTable } from '../storage/questions.ts'
import { type AnalyticsRange, dayText } from './parse-analytics-range.ts'

const TOP = 10

export type ReadAnalytics = (botId: string, range: AnalyticsRange) => Promise<Analytics>

interface Deps {
  activity: Pick<ActivityTable, 'list'>
  questions: Pick<QuestionsTable, 'listTop'>
  conversations: Pick<ConversationsTable, 'listTopPages'>
}

export function createReadAnalytics({ activity, questions, conversations }: Deps): ReadAnalytics {
  return async (botId, { timezone, interval, from, to, points, whole }) => {
    const { since, until } = whole
    const [records, topQuestions, topPages] = await Promise.all([
      activity.list(botId, points),
      questions.listTop(botId, since, until, TOP),
      conversations.listTopPages(botId, since, until, TOP),
    ])
    const byPoint = Map.groupBy(records, ({ place }) => place)
    return {
      from: dayText(from),
      to: dayText(to),
      timezone,
      interval,
      totals: figures(records),
      series: points.map((point, index) => ({
        start: dayText(point.start),
        since: new Date(point.since).toISOString(),
        until: new Date(point.until).toISOString(),
        ...figures(byPoint.get(index) ?? []),
      })),
      channels: (['api', 'widget'] as const).map((channel) => ({
        channel,
        ...figures(records.filter((record) => record.channel === channel)),
      })),
      top_questions: topQuestions.map(({ text, count, answered, lowConfidence, lastAskedAt, conversationId }) => ({
        question: text,
        count,
        answered,
        low_confidence: lowConfidence,
        last_asked_at: new Date(lastAskedAt).toISOString(),
        conversation_id: conversationId,
      })),
      top_pages: topPages,
    }
  }
}

function figures(records: ActivityRecord[]): Analytics['totals'] {
  const sum = (field: keyof Activity) => records.reduce((total, record) => total + record[field], 0)
  const questions = sum('questions')
  const answered = sum('answered')
  const perQuestion = (total: number) => (questions === 0 ? null : Math.round((total / questions) * 1000) / 1000)
  return {
    conversations: sum('conversations'),
    messages: sum('messages'),
    questions,
    answered,
    low_confidence: sum('lowConfidence'),
    answered_share: perQuestion(answered),
    mean_confidence: perQuestion(sum('confidence')),
    ratings_up: sum('ratingsUp'),
    ratings_down: sum('ratingsDown'),
    handovers_requested: sum('handoversRequested'),
    handovers_accepted: sum('handoversAccepted'),
    leads: sum('leads'),
  }
}
