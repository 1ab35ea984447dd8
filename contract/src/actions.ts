// Actions: what a bot can do in other systems, such as look up an order.
import type { Static } from 'typebox'
import { CHOICES_PER_INPUT, HEADERS_PER_ACTION, INPUTS_PER_ACTION } from './limits.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, Name, NOT_BLANK, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const ACTION_INPUT_TYPES = ['string', 'number', 'boolean', 'email', 'date', 'choice'] as const
export const ACTION_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const ACTION_STATUSES = ['asking', 'confirming', 'done', 'failed'] as const

/** What requests may say of a visitor: `{{visitor.user_id}}`. */
export const ACTION_VISITOR_FIELDS = ['user_id', 'email', 'name'] as const
export type ActionVisitorField = (typeof ACTION_VISITOR_FIELDS)[number]

/** Why a run failed. */
export const ACTION_FAILURES = [
  'timeout',
  'unreachable',
  'refused_address',
  'redirected',
  'http_status',
  'too_large',
  'not_json',
  'invalid_request',
  'auth_missing',
  'visitor_unknown',
] as const
export type ActionFailure = (typeof ACTION_FAILURES)[number]

const Phrase = Type.String({ minLength: 1, maxLength: 300, pattern: NOT_BLANK })
const Phrases = Type.Array(Phrase, { maxItems: 50 })
const Template = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK })

/** In `action` of a reply. */
export const ActionField = Type.Object(
  { id: Type.String(), status: OneOf(ACTION_STATUSES) },
  {
    $id: 'ActionField',
    description:
      'The action that the reply belongs to: it asks for an input (`asking`) or for confirmation (`confirming`), or the action is `done` or `failed`. The id is `handover` for the questions before a handover.',
  },
)

export const ActionInput = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      examples: ['order_number'],
      description: 'Used in templates as `{{name}}`.',
    }),
    type: OneOf(ACTION_INPUT_TYPES),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80, pattern: NOT_BLANK }), {
        maxItems: CHOICES_PER_INPUT,
        uniqueItems: true,
        description: 'For the type `choice`: shown as buttons, and the value that is sent.',
      }),
    ),
    description: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: NOT_BLANK,
      examples: ['Order number'],
      description: 'What it is, in words that visitors understand.',
    }),
    ask: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 300,
          pattern: NOT_BLANK,
          description: 'The question that asks for it. Default: one in the language of the visitor.',
        }),
      ),
    ),
    required: Type.Boolean({ description: 'Optional inputs are taken from the message but never asked for.' }),
    pattern: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          examples: ['[A-Z]{2}-[0-9]{6}'],
          description: 'For the type `string`: a regular expression that the whole value must match.',
        }),
      ),
    ),
  },
  { $id: 'ActionInput' },
)
export type ActionInput = Static<typeof ActionInput>

export const ActionRequest = Type.Object(
  {
    method: OneOf(ACTION_METHODS),
    url: Type.String({
      minLength: 8,
      maxLength: 1000,
      pattern: '^https?://[^\\s]+$',
      examples: ['https://shop.example/api/orders/{{order_number}}'],
      description:
        '`{{input}}` is percent-encoded. Not allowed in the host. In the URL, headers and body, `{{visitor.user_id}}`, `{{visitor.email}}` and `{{visitor.name}}` are what the site has proven of the visitor; a live action that uses them needs the audience `verified`.',
    }),
    headers: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 1000 },
        maxProperties: HEADERS_PER_ACTION,
        description:
          'May contain `{{input}}` and `{{visitor.user_id}}`. Put credentials into `auth`, where they are encrypted.',
      }),
    ),
    body: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          examples: ['{"email": "{{email}}"}'],
          description: 'JSON in which `{{input}}` is replaced and escaped. Not for GET.',
        }),
      ),
    ),
  },
  { $id: 'ActionRequest' },
)
export type ActionRequest = Static<typeof ActionRequest>

const Secret = Type.String({ minLength: 1, maxLength: 2000, pattern: '^[\\x20-\\x7e]+$', examples: ['sk-example'] })

export const ActionAuth = Type.Union(
  [
    Type.Object({ type: OneOf(['bearer']), token: Secret }),
    Type.Object({
      type: OneOf(['header']),
      name: Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$', examples: ['X-Api-Key'] }),
      value: Secret,
    }),
    Type.Object({ type: OneOf(['basic']), username: Secret, password: Secret }),
  ],
  { $id: 'ActionAuth', description: 'Stored encrypted and never returned.' },
)
export type ActionAuth = Static<typeof ActionAuth>

const kind = OneOf(['http', 'lead'], {
  description:
    '`http` (default) sends `request`. `lead` needs none: it saves the inputs named `name`, `email`, `phone` and `message` as a lead, and others as its fields.',
})
const audience = OneOf(['everyone', 'verified'], {
  description: 'Default: everyone. `verified`: only visitors whose identity the site has proven.',
})
const state = OneOf(['draft', 'live'], { description: 'Default: draft, which runs in the playground only.' })
const sample = Type.Unknown({ description: 'A response to test with, at most 32 KB as JSON; null: none.' })

const fields = {
  name: Name,
  kind: Type.Optional(kind),
  description: Type.String({ maxLength: 1000, description: 'When to use it.' }),
  examples: Type.Array(Phrase, {
    minItems: 1,
    maxItems: 50,
    description: 'What visitors write when they want it; matched like the phrasings of a curated answer.',
  }),
  not_for: Type.Optional(Type.Array(Phrase, { maxItems: 50, description: 'Similar messages that do not mean it.' })),
  inputs: Type.Array(ActionInput, { maxItems: INPUTS_PER_ACTION }),
  request: Type.Optional(Nullable(ActionRequest)),
  auth: Type.Optional(Nullable(ActionAuth)),
  answer_template: Type.Optional(
    Nullable({
      ...Template(4000),
      examples: ['Your order is {{response.status}}.'],
      description:
        'The reply, with `{{input}}` and `{{response.field.sub[0]}}`. Text from the response is shown as plain text. Without one, the bot’s language model words the response; without a model its first fields are listed.',
    }),
  ),
  audience: Type.Optional(audience),
  confirm: Type.Optional(
    Type.Boolean({
      description:
        'Whether the visitor confirms first. Default: true unless the method is GET. What a language model chose is always confirmed unless it is a GET.',
    }),
  ),
  state: Type.Optional(state),
  sample: Type.Optional(sample),
}

const CreateAction = Type.Object(fields)
export type CreateAction = Static<typeof CreateAction>
const PatchAction = Type.Partial(Type.Object(fields))

export const Action = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind,
    description: Type.String(),
    examples: Phrases,
    not_for: Phrases,
    inputs: Type.Array(ActionInput),
    request: Nullable(ActionRequest),
    auth: Nullable(
      Type.Object({
        type: OneOf(['bearer', 'header', 'basic']),
        name: Nullable(Type.String({ description: 'The name of the header.' })),
        is_set: Type.Boolean({ description: 'False after an import, which carries no secrets: set it again.' }),
      }),
    ),
    answer_template: Nullable(Type.String()),
    audience,
    confirm: Type.Boolean(),
    state,
    sample,
    recent_runs: Type.Object(
      { total: Type.Integer(), failed: Type.Integer() },
      { description: 'How often it ran in the last 7 days, without tests.' },
    ),
    previous_secret_until: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Action', description: 'Something that a bot can do for a visitor in another system.' },
)
export type Action = Static<typeof Action>

const secret = Type.String({ description: 'Signs every request (Standard Webhooks); shown only here.' })
const CreatedAction = Type.Intersect([Action, Type.Object({ secret })])

const Inputs = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string', maxLength: 2000 }, { type: 'number' }, { type: 'boolean' }] },
  maxProperties: INPUTS_PER_ACTION,
  description: 'By the names of the inputs.',
})

const VisitorField = Type.Optional(Type.String({ maxLength: 254 }))
const TestAction = Type.Object({
  inputs: Type.Optional(Inputs),
  visitor: Type.Optional(
    Type.Object(
      Object.fromEntries(ACTION_VISITOR_FIELDS.map((field) => [field, VisitorField])) as Record<
        ActionVisitorField,
        typeof VisitorField
      >,
      { description: 'Stands for the verified visitor in `{{visitor.user_id}}` and the like.' },
    ),
  ),
  use_sample: Type.Optional(
    Type.Boolean({ description: 'True: sends nothing, and answers from the saved `sample`. Default: false.' }),
  ),
})

const Failure = Nullable(
  OneOf(ACTION_FAILURES, {
    description:
      'Why it failed; null if it did not. `visitor_unknown`: the request names something of the visitor that the site has not stated.',
  }),
)
const Status = Nullable(Type.Integer({ description: 'The HTTP status; null if there was no response.' }))

export const ActionTest = Type.Object(
  {
    outcome: OneOf(['completed', 'failed']),
    failure: Failure,
    status: Status,
    duration_ms: Type.Integer(),
    response: Type.Unknown({ description: 'The JSON of the response; long lists and texts are shortened.' }),
    shortened: Type.Boolean({ description: 'Whether something was left out of `response`.' }),
    answer: Nullable(Type.String({ description: 'What the visitor would read; null if it failed.' })),
  },
  { $id: 'ActionTest' },
)
export type ActionTest = Static<typeof ActionTest>

export const ActionRun = Type.Object(
  {
    id: Type.String({ description: 'The `webhook-id` header of its request.' }),
    outcome: OneOf(['started', 'completed', 'failed'], {
      description: '`started`: running, or the server stopped meanwhile.',
    }),
    failure: Failure,
    status: Status,
    duration_ms: Nullable(Type.Integer()),
    inputs: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'As text; what looks like a secret is masked.',
    }),
    is_test: Type.Boolean({ description: 'From the playground or a test.' }),
    conversation_id: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { $id: 'ActionRun', description: 'One run of an action. Responses are not kept.' },
)
export type ActionRun = Static<typeof ActionRun>

const RotatedActionSecret = Type.Object(
  { secret, previous_secret_until: Timestamp },
  { $id: 'RotatedActionSecret', description: 'Until then, requests are signed with both secrets.' },
)

const ofAction = Params({ botId: Id, actionId: Id })

export const actionRoutes = {
  'POST /api/manage/v1/bots/{botId}/actions': {
    summary: 'Create an action',
    description: 'At most 15 per bot.',
    tag: 'Actions',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: CreateAction,
    status: 201,
    response: CreatedAction,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'too_many_actions'],
  },
  'GET /api/manage/v1/bots/{botId}/actions': {
    summary: 'List the actions',
    tag: 'Actions',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(Action),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/actions/{actionId}': {
    summary: 'Read an action',
    tag: 'Actions',
    caller: 'management',
    role: 'viewer',
    params: ofAction,
    status: 200,
    response: Action,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/actions/{actionId}': {
    summary: 'Change an action',
    description: 'Credentials that are not sent stay, unless the host of the URL changes.',
    tag: 'Actions',
    caller: 'management',
    role: 'editor',
    params: ofAction,
    body: PatchAction,
    status: 200,
    response: Action,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/actions/{actionId}': {
    summary: 'Delete an action with its log',
    tag: 'Actions',
    caller: 'management',
    role: 'editor',
    params: ofAction,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/actions/{actionId}/test': {
    summary: 'Run an action with given inputs',
    description: 'Sends the real request, unless `use_sample` is true. At most 30 a minute per bot.',
    tag: 'Actions',
    caller: 'management',
    role: 'editor',
    params: ofAction,
    body: TestAction,
    status: 200,
    response: ActionTest,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'rate_limited'],
  },
  'POST /api/manage/v1/bots/{botId}/actions/{actionId}/rotate-secret': {
    summary: 'Rotate the signing secret; for 24 hours requests are signed with both',
    tag: 'Actions',
    caller: 'management',
    role: 'editor',
    params: ofAction,
    status: 201,
    response: RotatedActionSecret,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/actions/{actionId}/runs': {
    summary: 'List the runs of an action, newest first',
    tag: 'Actions',
    caller: 'management',
    // The inputs are visitors' data.
    role: 'agent',
    params: ofAction,
    query: PageQuery,
    status: 200,
    response: Page(ActionRun),
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found', 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
