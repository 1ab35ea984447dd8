// Bots and their settings.
import { Bot, CreateBot, PatchBot } from '../bots.ts'
import { ModelUsage, ModelUsageQuery } from '../language-model.ts'
import type { RouteSpec } from '../route.ts'
import { Page, PageQuery } from '../schema.ts'
import { input, manage, ofBot } from './parts.ts'

export const botsRoutes = {
  'POST /api/manage/v1/bots': {
    summary: 'Create a bot',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    body: CreateBot,
    status: 201,
    answer: Bot,
    errors: [...manage, ...input, 'not_found'],
  },
  'GET /api/manage/v1/bots': {
    summary: 'List the bots you can see',
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    query: PageQuery,
    status: 200,
    answer: Page(Bot),
    errors: manage,
  },
  'GET /api/manage/v1/bots/{botId}': {
    summary: 'Read a bot and the state of its knowledge',
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    answer: Bot,
    errors: [...manage, 'bot_not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}': {
    summary: 'Change a bot',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: PatchBot,
    status: 200,
    answer: Bot,
    errors: [...manage, ...input, 'bot_not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}': {
    summary: 'Delete a bot with its knowledge, keys and conversations',
    tag: 'Bots',
    caller: 'management',
    role: 'owner',
    params: ofBot,
    status: 204,
    errors: [...manage, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/model-usage': {
    summary: "Read what a bot's language model was asked and what it cost, day by day",
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: ModelUsageQuery,
    status: 200,
    answer: ModelUsage,
    errors: [...manage, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
