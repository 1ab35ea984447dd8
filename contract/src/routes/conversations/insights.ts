// Analytics of a bot's conversations.
import {
  Analytics,
  AnalyticsQuery,
  QuestionInput,
  UnansweredQuestion,
  UnansweredTopics,
} from '../../conversations/insights.ts'
import type { RouteSpec } from '../../route.ts'
import { Page, PageQuery } from '../../schema.ts'
import { input, manage, ofBot } from '../parts.ts'

export const insightsRoutes = {
  'GET /api/manage/v1/bots/{botId}/analytics': {
    summary: 'Read analytics over time, top questions and top pages',
    description:
      'Whole days of a time zone, by default the last 30, at most 400 points. Questions answered with low confidence do not count as answered, except in old figures from before this was recorded. Figures are kept when conversations are deleted: they contain no personal data.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: AnalyticsQuery,
    status: 200,
    answer: Analytics,
    errors: [...manage, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/unanswered': {
    summary: 'List unanswered questions, most frequent first',
    description:
      'All spellings of a question are one entry. It leaves the list when a curated answer covers it, as its question or an alternative, or when you dismiss it.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    answer: Page(UnansweredQuestion),
    errors: [...manage, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/unanswered/topics': {
    summary: 'List unanswered questions by topic, with the closest page',
    description:
      'The 20 most frequent topics of the 300 most frequent questions. Questions are grouped by meaning if the embedding model supports their language, otherwise by shared words.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    answer: UnansweredTopics,
    errors: [...manage, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/unanswered/dismiss': {
    summary: 'Dismiss an unanswered question',
    description: 'It stays hidden, even if asked again, until it is restored.',
    tag: 'Insights',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: QuestionInput,
    status: 204,
    errors: [...manage, ...input, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/unanswered/restore': {
    summary: 'Restore a dismissed question',
    tag: 'Insights',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: QuestionInput,
    status: 204,
    errors: [...manage, ...input, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
