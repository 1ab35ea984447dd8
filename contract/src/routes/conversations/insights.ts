// What owners of a bot learn from its conversations.
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
    summary: 'Read figures over time, top questions and top pages',
    description:
      'Whole days of a time zone, the last 30 when you name none, at most 400 points. Questions answered with low confidence are not among the answered ones; older figures, from before this was recorded, count them as answered. Figures stay when conversations are removed or erased: nothing in them tells of a person.',
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
    summary: 'List questions that found no answer, the most frequent first',
    description:
      'One line for all spellings of a question. A question goes from the list when a curated answer has it as its question or an alternative, or when you dismiss it.',
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
    summary: 'List what is asked and not answered by topic, with the page that comes closest',
    description:
      'The 20 most frequent topics of the 300 most frequent questions. Questions are grouped by meaning where the embedding model knows their language, otherwise by the words they share.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    answer: UnansweredTopics,
    errors: [...manage, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/unanswered/dismiss': {
    summary: 'Take a question from the list of unanswered ones',
    description: 'It stays away however often it is asked, until it is restored.',
    tag: 'Insights',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: QuestionInput,
    status: 204,
    errors: [...manage, ...input, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/unanswered/restore': {
    summary: 'Put a dismissed question back on the list',
    tag: 'Insights',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: QuestionInput,
    status: 204,
    errors: [...manage, ...input, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
