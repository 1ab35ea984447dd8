// Asking a bot without a trace: what it finds, and what it would say.

import { TryAnswer, TryMessage } from '../../conversations/try.ts'
import { SearchAnswer, SearchQuery } from '../../knowledge/documents.ts'
import type { RouteSpec } from '../../route.ts'
import { input, manage, ofBot } from '../parts.ts'

export const tryRoutes = {
  'GET /api/manage/v1/bots/{botId}/search': {
    summary: 'See what retrieval finds for a question',
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
    summary: 'Ask a bot something and see why it answers as it does',
    description: 'The whole way that a message of a visitor goes, but no conversation is recorded and nobody is told.',
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
