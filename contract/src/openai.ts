// The chat API in the shape of OpenAI's chat completions.
import type { Static } from 'typebox'
import { ChatRequest, ChatResponse, Source } from './chat.ts'
import { IdempotencyHeaders, INPUT_ERRORS, REPLAY_HEADERS, type RouteSpec } from './route.ts'
import { Id, Nullable, NullIsAbsent, OneOf, Params } from './schema.ts'
import { Type } from './type.ts'

const { user_id, metadata, session_id } = ChatRequest.properties

export const ContentPart = Type.Object({
  type: Type.String({ description: 'Only `text` is supported.' }),
  text: Type.Optional(Type.String()),
})

const CompletionMessage = Type.Object(
  {
    role: OneOf(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: Type.Optional(Type.Union([Type.String(), Type.Array(ContentPart), Type.Null()])),
  },
  { $id: 'ChatCompletionMessage' },
)
export type CompletionMessage = Static<typeof CompletionMessage>

export const ChatCompletionRequest = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 100, description: "The bot's id, or `docent`: the key's bot." }),
    messages: Type.Array(CompletionMessage, {
      minItems: 1,
      maxItems: 2000,
      description:
        'The last user message is answered, with earlier ones as history. System messages are ignored: the style is set in the bot’s settings.',
    }),
    stream: NullIsAbsent(Type.Boolean({ description: 'Answer as server-sent events.' })),
    stream_options: NullIsAbsent(Type.Object({ include_usage: Type.Optional(Nullable(Type.Boolean())) })),
    n: NullIsAbsent(Type.Integer({ minimum: 1, maximum: 1, description: 'A bot gives one answer.' })),
    user: NullIsAbsent(user_id),
    safety_identifier: NullIsAbsent(user_id),
    metadata: NullIsAbsent(metadata),
    session_id,
  },
  {
    $id: 'ChatCompletionRequest',
    description:
      'Other OpenAI parameters (`temperature`, `max_tokens`, `tools` and so on) are ignored, except those that a bot cannot satisfy: a forced `tool_choice`, a `response_format` other than text, `logprobs` and `modalities` other than text are refused.',
  },
)
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>

const Annotation = Type.Object({
  type: Type.Literal('url_citation'),
  url_citation: Type.Object({
    ...Source.properties,
    start_index: Type.Integer({ description: 'The position of the link in `content`.' }),
    end_index: Type.Integer(),
  }),
})

const { sources, session_id: sessionId, message_id, confidence, answered, decision, action } = ChatResponse.properties
/** What both of OpenAI's shapes carry of a ChatResponse. */
export const ADDITIONS = { sources, session_id: sessionId, message_id, confidence, answered, decision, action }

export const ChatCompletion = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion'),
    created: Type.Integer({ description: 'Unix seconds.' }),
    model: Type.String({ description: "The bot's id." }),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({
          role: Type.Literal('assistant'),
          content: Type.String({ description: 'The answer, and below a line (`---`) a link to each source.' }),
          refusal: Type.Null(),
          annotations: Type.Array(Annotation, { description: 'The sources, at the positions of their links.' }),
        }),
        logprobs: Type.Null(),
        finish_reason: Type.Literal('stop'),
      }),
    ),
    usage: Type.Object(
      { prompt_tokens: Type.Integer(), completion_tokens: Type.Integer(), total_tokens: Type.Integer() },
      { description: 'Always 0: calls are counted, not tokens.' },
    ),
    ...ADDITIONS,
  },
  {
    $id: 'ChatCompletion',
    description: 'The fields from `sources` on are additions to OpenAI’s, as in a ChatResponse.',
  },
)
export type ChatCompletion = Static<typeof ChatCompletion>

const ChatCompletionStream = Type.String({
  $id: 'ChatCompletionStream',
  description:
    'Server-sent events in OpenAI’s shape: `chat.completion.chunk` objects, then `[DONE]`. The chunk with a `finish_reason` also has `sources`, `session_id`, `message_id`, `confidence`, `answered`, `decision` and, during an action, `action`. After a failure the last event is `{error}`.',
})

const Model = Type.Object(
  {
    id: Type.String({ description: "The bot's id." }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'When the bot was created, in Unix seconds.' }),
    owned_by: Type.String(),
    name: Type.String({ description: "The bot's name." }),
  },
  { $id: 'Model' },
)

const ModelList = Type.Object({ object: Type.Literal('list'), data: Type.Array(Model) }, { $id: 'ModelList' })

/** Means the key's bot. */
export const ANY_MODEL = 'docent'

const KEY_ERRORS = ['invalid_api_key', 'plan_required'] as const

/** What both formats of a message share. */
export const COMPLETION_ROUTE = {
  description:
    'POST /api/v1/chat for clients of OpenAI’s API: the same keys, quota, mirror and answers. Errors also have OpenAI’s fields `type` and `param`.',
  tag: 'Chat',
  caller: 'chat_key',
  headers: IdempotencyHeaders,
  responseHeaders: REPLAY_HEADERS,
  nullIsAbsent: true,
  // Every call contains the whole history.
  bodyLimitBytes: 1024 * 1024,
  status: 200,
  errors: [
    ...INPUT_ERRORS,
    ...KEY_ERRORS,
    'daily_quota_exceeded',
    'bot_not_found',
    'model_not_found',
    'session_not_found',
    'idempotency_conflict',
  ],
} as const

export const openAiRoutes = {
  'POST /v1/chat/completions': {
    ...COMPLETION_ROUTE,
    summary: 'Send a message in the format of OpenAI’s chat completions',
    body: ChatCompletionRequest,
    response: ChatCompletion,
    alternative: { type: 'text/event-stream', schema: ChatCompletionStream },
  },
  'GET /v1/models': {
    summary: 'List the bot of the key in the format of OpenAI’s models',
    description:
      'One model: the bot that the key belongs to. Does not count towards the daily quota, because clients call it on every start.',
    tag: 'Chat',
    caller: 'chat_key',
    counted: false,
    status: 200,
    response: ModelList,
    errors: [...KEY_ERRORS, 'bot_not_found'],
  },
  'GET /v1/models/{modelId}': {
    summary: 'Get the bot of the key in the format of OpenAI’s models',
    description: 'By its id, or `docent`. Does not count towards the daily quota.',
    tag: 'Chat',
    caller: 'chat_key',
    counted: false,
    params: Params({ modelId: Id }),
    status: 200,
    response: Model,
    errors: [...KEY_ERRORS, 'bot_not_found', 'model_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
