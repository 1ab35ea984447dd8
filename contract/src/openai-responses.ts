// The chat API in the shape of OpenAI's responses, which its current clients use by default.
import type { Static } from 'typebox'
import { Source } from './chat.ts'
import { ADDITIONS, ChatCompletionRequest, COMPLETION_ROUTE, ContentPart } from './openai.ts'
import type { RouteSpec } from './route.ts'
import { Nullable, NullIsAbsent } from './schema.ts'
import { Type } from './type.ts'

const { model, stream, user, safety_identifier, metadata, session_id } = ChatCompletionRequest.properties

const InputItem = Type.Object({
  type: Type.Optional(Type.String({ description: 'Items other than `message` are ignored.' })),
  role: Type.Optional(Type.String()),
  content: Type.Optional(Type.Union([Type.String(), Type.Array(ContentPart), Type.Null()])),
})
export type InputItem = Static<typeof InputItem>

export const ResponsesRequest = Type.Object(
  {
    model,
    input: Type.Union([Type.String(), Type.Array(InputItem, { minItems: 1, maxItems: 2000 })], {
      description: 'A question, or messages: the last user message is answered, with earlier ones as history.',
    }),
    previous_response_id: NullIsAbsent(
      Type.String({ maxLength: 500, description: 'Continues the conversation of that response.' }),
    ),
    stream,
    user,
    safety_identifier,
    metadata,
    session_id,
  },
  {
    $id: 'ResponsesRequest',
    description:
      'Other OpenAI parameters (`instructions`, `temperature`, `tools`, `store` and so on) are ignored, except those that a bot cannot satisfy: a forced `tool_choice`, a `text.format` other than text, `background` and `conversation` are refused.',
  },
)
export type ResponsesRequest = Static<typeof ResponsesRequest>

const OutputMessage = Type.Object({
  id: Type.String(),
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  status: Type.String(),
  content: Type.Array(
    Type.Object({
      type: Type.Literal('output_text'),
      text: Type.String({ description: 'The answer, and below a line (`---`) a link to each source.' }),
      annotations: Type.Array(
        Type.Object({
          type: Type.Literal('url_citation'),
          ...Source.properties,
          start_index: Type.Integer({ description: 'The position of the link in `text`.' }),
          end_index: Type.Integer(),
        }),
      ),
      logprobs: Type.Array(Type.Object({})),
    }),
  ),
})

export const ResponsesResponse = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response'),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
    status: Type.String(),
    model: Type.String({ description: "The bot's id." }),
    output: Type.Array(OutputMessage),
    previous_response_id: Nullable(Type.String()),
    error: Type.Null(),
    incomplete_details: Type.Null(),
    instructions: Type.Null(),
    metadata: Type.Object({}),
    parallel_tool_calls: Type.Boolean(),
    temperature: Type.Null(),
    top_p: Type.Null(),
    tool_choice: Type.Literal('none'),
    tools: Type.Array(Type.Object({})),
    usage: Type.Object(
      {
        input_tokens: Type.Integer(),
        input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
        output_tokens: Type.Integer(),
        output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
        total_tokens: Type.Integer(),
      },
      { description: 'Always 0: calls are counted, not tokens.' },
    ),
    ...ADDITIONS,
  },
  {
    $id: 'ResponsesResponse',
    description: 'The fields from `sources` on are additions to OpenAI’s, as in a ChatResponse.',
  },
)
export type ResponsesResponse = Static<typeof ResponsesResponse>

const ResponsesStream = Type.String({
  $id: 'ResponsesStream',
  description:
    'Server-sent events in OpenAI’s shape, from `response.created` through `response.output_text.delta` to `response.completed`, whose `response` is the whole answer. After a failure the last event is `error`.',
})

export const responsesRoutes = {
  'POST /v1/responses': {
    ...COMPLETION_ROUTE,
    summary: 'Send a message in the format of OpenAI’s responses',
    body: ResponsesRequest,
    response: ResponsesResponse,
    alternative: { type: 'text/event-stream', schema: ResponsesStream },
  },
} as const satisfies Record<string, RouteSpec>
