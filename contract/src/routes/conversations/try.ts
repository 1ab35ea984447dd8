// Test a bot without recording anything.

import { TryAnswer, TryMessage } from '../../conversations/try.ts'
import { SearchAnswer, SearchQuery } from '../../knowledge/documents.ts'
import type { RouteSpec } from '../../route.ts'
import { input, manage, ofBot } from '../parts.ts'

export const tryRoutes = {
  'GET /api/manage/v1/bots/{botId}/search': {
    summary: 'Show what search finds for a question',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: SearchQuery,
    status: 200,
    answer: SearchAnswer,
    errors: [...manage, 'validation_failed', 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/try': {
    summary: 'Ask a bot a test question and show how it was answered',
    description: 'Like a message of a visitor, but without recording a conversation or sending events.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'agent',
    params: ofBot,
    body: TryMessage,
    trims: ['message'],
    status: 200,
    answer: TryAnswer,
    errors: [...manage, ...input, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
