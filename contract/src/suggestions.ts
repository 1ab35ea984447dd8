// What helps an agent to reply: texts found for the visitor's last question, and texts that a language model writes.
import type { Static } from 'typebox'
import { Source } from './chat.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofConversation, type RouteSpec } from './route.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const ReplySuggestions = Type.Object(
  {
    question: Nullable(
      Type.String({ description: 'What the suggestions are for: the last message that asks something.' }),
    ),
    answers: Type.Array(
      Type.Object({
        text: Type.String(),
        sources: Type.Array(Source),
        confidence: Nullable(Type.Number({ description: 'Null for what the bot would not say itself.' })),
      }),
      { description: "The bot's own answers, best first, also those that it is not sure enough of to give." },
    ),
    past_replies: Type.Array(
      Type.Object({
        conversation_id: Type.String(),
        question: Type.String(),
        text: Type.String({ description: 'What an agent replied.' }),
        agent_name: Nullable(Type.String()),
        replied_at: Timestamp,
      }),
      { description: 'Replies to similar questions, from conversations of this bot that are done.' },
    ),
    canned_replies: Type.Array(Type.Object({ id: Type.String(), shortcut: Type.String(), text: Type.String() }), {
      description: 'Canned replies about the same, best first.',
    }),
  },
  { $id: 'ReplySuggestions' },
)
export type ReplySuggestions = Static<typeof ReplySuggestions>

const DRAFT_TASKS = ['reply', 'summary', 'rewrite', 'translate'] as const
const REWRITE_STYLES = ['friendlier', 'formal', 'shorter', 'correct'] as const
const PROBLEMS = ['no_language_model', 'daily_limit', 'unavailable'] as const

export const DraftInput = Type.Object(
  {
    task: OneOf(DRAFT_TASKS, {
      description:
        "`reply`: to the visitor's last question, from the bot's content. `summary`: of the conversation so far. `rewrite`, `translate`: of `text`.",
    }),
    text: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description: 'Required by `rewrite` and `translate`; for `reply`, a beginning.',
      }),
    ),
    style: Type.Optional(
      OneOf(REWRITE_STYLES, { description: 'For `rewrite`. `correct`: spelling and grammar only.' }),
    ),
    language: Type.Optional(
      Type.String({
        maxLength: 35,
        description: "Code of the language to write in. Default: the visitor's, for a summary English.",
        examples: ['de'],
      }),
    ),
  },
  { $id: 'DraftInput' },
)
export type DraftInput = Static<typeof DraftInput>

export const Draft = Type.Object(
  {
    text: Nullable(Type.String()),
    problem: Nullable(OneOf(PROBLEMS, { description: 'Why there is no text.' })),
  },
  { $id: 'Draft' },
)
export type Draft = Static<typeof Draft>

export const suggestionRoutes = {
  'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/suggestions': {
    summary: 'Suggest replies to the last question',
    description: 'Without a language model. Nothing is recorded.',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    status: 200,
    response: ReplySuggestions,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/drafts': {
    summary: "Have the bot's language model write a text",
    description: 'For an agent to check and send. Counts as a call of the language model.',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    body: DraftInput,
    status: 200,
    response: Draft,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
