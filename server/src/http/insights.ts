import type { UnansweredQuestion, UnansweredTopic } from '@docent/contract'
import { questionKey } from '../answers/understand/question-key.ts'
import type { Context } from '../context.ts'
import { parseAnalyticsRange, requireTimezone } from '../insights/analytics.ts'
import type { OpenQuestion, Topic } from '../insights/questions.ts'
import type { QuestionPosition } from '../storage/questions.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page, parseCursor } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function insightRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, insights }: Pick<Modules, 'access' | 'insights'>,
) {
  const { questions } = storage
  const { findBot, findWorkspace } = access
  const { readHome, readAnalytics, compareBots, listUnanswered, listTopics, listAskedTopics } = insights

  route('GET /api/manage/v1/workspaces/{workspaceId}/home', async ({ caller, params, query }) => {
    const { id } = await findWorkspace(caller, params.workspaceId)
    return readHome(id, requireTimezone(query.timezone))
  })

  route('GET /api/manage/v1/bots/{botId}/analytics', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return readAnalytics(bot.id, parseAnalyticsRange(query, clock()), query.top)
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/analytics', async ({ caller, params, query }) => {
    const { id } = await findWorkspace(caller, params.workspaceId)
    return compareBots(id, parseAnalyticsRange({ ...query, interval: 'month' }, clock()))
  })

  route('GET /api/manage/v1/bots/{botId}/analytics/topics', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const { whole } = parseAnalyticsRange({ ...query, interval: 'month' }, clock())
    return { topics: await listAskedTopics(bot, whole, query.top) }
  })

  route('GET /api/manage/v1/bots/{botId}/unanswered', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(
      query,
      async (after, limit) => (await listUnanswered(bot.id, parseQuestionCursor(after), limit)).map(withCursor),
      ({ question }) => toUnanswered(question),
    )
  })

  route('GET /api/manage/v1/bots/{botId}/unanswered/topics', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    return { topics: (await listTopics(bot)).map(toTopic) }
  })

  route('POST /api/manage/v1/bots/{botId}/unanswered/dismiss', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    const key = questionKey(body.question)
    if (key !== null) await questions.dismiss(bot.id, key, clock())
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/unanswered/restore', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    const key = questionKey(body.question)
    if (key !== null) await questions.restore(bot.id, key)
    return undefined
  })
}

/** Sorted by count; the cursor is the count, time and question. */
function withCursor(question: OpenQuestion) {
  return { id: `${question.count}.${question.lastAskedAt}.${question.key}`, question }
}

function parseQuestionCursor(cursor: string): QuestionPosition | null {
  const match = parseCursor(cursor, /^(\d{1,9})\.(\d{1,15})\.([0-9a-f]{24})$/)
  return match && { count: Number(match[1]), lastAskedAt: Number(match[2]), key: match[3] as string }
}

function toUnanswered(question: OpenQuestion): UnansweredQuestion {
  return {
    question: question.text,
    count: question.count,
    low_confidence: question.lowConfidence,
    last_asked_at: timestamp(question.lastAskedAt),
    conversation_id: question.conversationId,
    languages: question.languages,
  }
}

function toTopic({ subject, questions, closest, missing }: Topic): UnansweredTopic {
  const sum = (of: (question: OpenQuestion) => number) => questions.reduce((total, each) => total + of(each), 0)
  return {
    subject,
    count: sum(({ count }) => count),
    low_confidence: sum(({ lowConfidence }) => lowConfidence),
    last_asked_at: timestamp(Math.max(...questions.map(({ lastAskedAt }) => lastAskedAt))),
    questions: questions.map(toUnanswered),
    closest: closest && {
      document_id: closest.documentId,
      title: closest.title,
      url: closest.url,
      section: closest.section,
    },
    missing,
  }
}
