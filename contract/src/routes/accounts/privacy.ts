// What is kept of visitors: find, export, erase, and how long it stays.
import { Privacy, VisitorExport, VisitorSummary, VisitorsQuery } from '../../accounts/privacy.ts'
import type { RouteSpec } from '../../route.ts'
import { Page } from '../../schema.ts'
import { manage, ofBot, ofVisitor } from '../parts.ts'

export const privacyRoutes = {
  'GET /api/manage/v1/bots/{botId}/visitors': {
    summary: 'Find visitors of the widget and users of the chat API, the newest first',
    tag: 'Privacy',
    caller: 'management',
    role: 'agent',
    params: ofBot,
    query: VisitorsQuery,
    status: 200,
    answer: Page(VisitorSummary),
    errors: [...manage, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/visitors/{visitorId}': {
    summary: 'Export everything that is kept of a visitor',
    tag: 'Privacy',
    caller: 'management',
    role: 'agent',
    params: ofVisitor,
    status: 200,
    answer: VisitorExport,
    errors: [...manage, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}': {
    summary: 'Erase everything that is kept of a visitor',
    description:
      'The visitor, their conversations with all messages, ratings and notes, their leads, and the deliveries that tell of them, sent or not: all at once or nothing. What webhooks have already delivered is with its receivers. 404 when nothing is left to erase.',
    tag: 'Privacy',
    caller: 'management',
    role: 'editor',
    params: ofVisitor,
    status: 204,
    errors: [...manage, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/privacy': {
    summary: 'Read how long conversations are kept, and when old ones were last removed',
    tag: 'Privacy',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    answer: Privacy,
    errors: [...manage, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
