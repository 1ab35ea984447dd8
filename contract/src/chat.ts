// The chat API.
import type { Static } from 'typebox'
import { ActionField } from './actions.ts'
import { IdempotencyHeaders, INPUT_ERRORS, REPLAY_HEADERS, type RouteSpec } from './route.ts'
import { HttpUrl, Nullable, NullIsAbsent, OneOf } from './schema.ts'
import { Type } from './type.ts'

const DECISIONS = ['answer', 'suggest', 'fall_back', 'curated', 'product', 'small_talk', 'person', 'action'] as const
export type Decision = (typeof DECISIONS)[number]

/** How a reply was produced. */
export const DecisionField = OneOf(DECISIONS, {
  description:
    'How the reply was produced: from the content (`answer`), with low confidence (`suggest`: the reply begins with a hedge, or a language model says what it does not know), without an answer (`fall_back`), from a curated answer, from the products, as small talk, because a person was requested, or as part of an action.',
})

export const Source = Type.Object(
  { title: Type.String(), url: Type.String({ format: 'uri' }) },
  { $id: 'Source', description: 'A page or file that the answer is based on.' },
)

export const Button = Type.Object(
  {
    id: Type.String(),
    type: OneOf(['reply', 'url', 'handover', 'lead_form', 'product']),
    label: Type.String(),
    value: Type.Optional(Type.String({ description: 'Sent as the next message by a `reply` button.' })),
    url: Type.Optional(Type.String()),
  },
  { $id: 'Button' },
)
export type Button = Static<typeof Button>

export const MESSAGE_LENGTH = 10_000

const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
// Not Type.Record: its generated pattern accepts names with a line break.
export const Metadata = Type.Unsafe<Record<string, Static<typeof MetadataValue>>>({
  type: 'object',
  additionalProperties: MetadataValue,
  description: 'Flat object stored with the conversation, at most 4 KB as JSON.',
})

export const StoredMetadata = Nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Through the chat API, what the holder of the key stated. From the widget, what its page stated, which anybody can forge: do not rely on it.',
  }),
)

export const ChatRequest = Type.Object(
  {
    bot_id: Type.String({ minLength: 1, maxLength: 100, description: 'Identifier of the chatbot to query.' }),
    message: Type.String({
      minLength: 1,
      maxLength: MESSAGE_LENGTH,
      description: 'The question or message text: 1 to 10,000 characters after trimming.',
    }),
    session_id: NullIsAbsent(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'From an earlier response; continues that conversation with full history. Null counts as absent.',
      }),
    ),
    stream: Type.Optional(Type.Boolean({ description: 'Answer as server-sent events.' })),
    user_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Your own identifier for the user.' }),
    ),
    metadata: Type.Optional(Metadata),
    page_url: Type.Optional(HttpUrl),
  },
  { $id: 'ChatRequest' },
)
export type ChatRequest = Static<typeof ChatRequest>

export const ChatResponse = Type.Object(
  {
    response: Type.String({
      description: "The bot's answer text; it may contain Markdown (bold, lists, links, tables).",
    }),
    sources: Type.Array(Source, { maxItems: 5, description: 'Most relevant first.' }),
    session_id: Type.String({ description: 'Send it back on the next call to continue the conversation.' }),
    message_id: Type.String(),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Probability that the answer is right.' }),
    answered: Type.Boolean({ description: 'False when the bot found nothing and said so.' }),
    decision: DecisionField,
    action: Type.Optional(ActionField),
    buttons: Type.Optional(
      Type.Array(Button, {
        description:
          "The bot's own buttons under answers, where it has some: `reply` (send `value` as the next message) and `url`.",
      }),
    ),
  },
  { $id: 'ChatResponse' },
)
export type ChatResponse = Static<typeof ChatResponse>

/** The events of a streamed answer, in order: `start`, any number of `delta`, then `done` or `error`. */
const ChatStream = Type.String({
  $id: 'ChatStream',
  description:
    'Server-sent events: `start` {session_id, message_id}, `delta` {text} any number of times, then `done` with the whole ChatResponse, or `error` with the error object and the `status` of the equivalent response. The joined deltas equal `response`, unless a language model failed midway: `done` is authoritative, so show its `response` instead of the deltas.',
})

export const METADATA_LIMIT_BYTES = 4096

export const chatRoutes = {
  'POST /api/v1/chat': {
    summary: 'Send a message to a chatbot',
    description:
      'Answers from the content of the bot that the key belongs to. Every call with a valid key counts towards its daily quota. With an `Idempotency-Key`, the same key and body within 24 hours replays the stored answer.',
    tag: 'Chat',
    caller: 'chat_key',
    headers: IdempotencyHeaders,
    responseHeaders: REPLAY_HEADERS,
    body: ChatRequest,
    trims: ['message'],
    // 10,000 characters can take 120,000 bytes, if each is written as two escapes.
    bodyLimitBytes: 256 * 1024,
    status: 200,
    response: ChatResponse,
    alternative: { type: 'text/event-stream', schema: ChatStream },
    errors: [
      ...INPUT_ERRORS,
      'invalid_api_key',
      'plan_required',
      'bot_not_found',
      'session_not_found',
      'not_acceptable',
      'idempotency_conflict',
      'daily_quota_exceeded',
    ],
  },
} as const satisfies Record<string, RouteSpec>
