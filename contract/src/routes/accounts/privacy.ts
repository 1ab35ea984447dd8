// Personal data of visitors: find, export, erase, retention.
import { Privacy, VisitorExport, VisitorSummary, VisitorsQuery } from '../../accounts/privacy.ts'
import type { RouteSpec } from '../../route.ts'
import { Page } from '../../schema.ts'
import { manage, ofBot, ofVisitor } from '../parts.ts'

export const privacyRoutes = {
  'GET /api/manage/v1/bots/{botId}/visitors': {
    summary: 'Find visitors of the widget and users of the chat API, newest first',
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
    summary: 'Export all data of a visitor',
    tag: 'Privacy',
    caller: 'management',
    role: 'agent',
    params: ofVisitor,
    status: 200,
    answer: VisitorExport,
    errors: [...manage, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}': {
    summary: 'Erase all data of a visitor',
    description:
      'Erases the visitor, their conversations with all messages, ratings and notes, their leads, and deliveries about them, sent or not, all or nothing. Data already delivered to webhooks stays with their receivers. 404 if there is nothing to erase.',
    tag: 'Privacy',
    caller: 'management',
    role: 'editor',
    params: ofVisitor,
    status: 204,
    errors: [...manage, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/privacy': {
    summary: 'Read how long conversations are kept, and when old ones were last deleted',
    tag: 'Privacy',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    answer: Privacy,
    errors: [...manage, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
