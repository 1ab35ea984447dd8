// A bot's figures over time, from what was counted day by day.
import type { Analytics, AnalyticsInterval } from '@docent/contract'
import { DAY_MS } from '../days.ts'
import type { ConversationsTable } from '../storage/conversations/conversations.ts'
import type { Activity, ActivityDay, ActivityDaysTable } from '../storage/insights/activity-days.ts'
import type { QuestionsTable } from '../storage/insights/questions.ts'
import { type AnalyticsRange, dayText, startOf } from './analytics-range.ts'

const TOP = 10

export type ReadAnalytics = (botId: string, range: AnalyticsRange, interval: AnalyticsInterval) => Promise<Analytics>

interface Deps {
  activityDays: Pick<ActivityDaysTable, 'list'>
  questions: Pick<QuestionsTable, 'listTop'>
  conversations: Pick<ConversationsTable, 'listTopPages'>
}

export function createReadAnalytics({ activityDays, questions, conversations }: Deps): ReadAnalytics {
  return async (botId, { from, to, starts }, interval) => {
    const [begin, end] = [from * DAY_MS, (to + 1) * DAY_MS]
    const [days, topQuestions, topPages] = await Promise.all([
      activityDays.list(botId, from, to),
      questions.listTop(botId, begin, end, TOP),
      conversations.listTopPages(botId, begin, end, TOP),
    ])
    const points = Map.groupBy(days, ({ day }) => startOf(day, interval))
    return {
      from: dayText(from),
      to: dayText(to),
      interval,
      totals: figures(days),
      series: starts.map((start) => ({ start: dayText(start), ...figures(points.get(start) ?? []) })),
      channels: (['api', 'widget'] as const).map((channel) => ({
        channel,
        ...figures(days.filter((day) => day.channel === channel)),
      })),
      top_questions: topQuestions.map(({ text, count, answered, lastAskedAt, conversationId }) => ({
        question: text,
        count,
        answered,
        last_asked_at: new Date(lastAskedAt).toISOString(),
        conversation_id: conversationId,
      })),
      top_pages: topPages,
    }
  }
}

function figures(days: ActivityDay[]): Analytics['totals'] {
  const sum = (field: keyof Activity) => days.reduce((total, day) => total + day[field], 0)
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
