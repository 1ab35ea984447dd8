// Workspaces, and the search for anything in them by name.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, OWNER_ERRORS, ofWorkspace, type RouteSpec } from './route.ts'
import { Name, NOT_BLANK, Nullable, OneOf, Page, PageQuery, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const PLANS = ['free', 'starter', 'business', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

const DailyLimit = Type.Integer({ minimum: 0, maximum: 100_000_000 })

export const Workspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    plan: OneOf(PLANS),
    daily_limit: Nullable(Type.Integer({ description: 'Calls per day for each key; null means 1000.' })),
    total_daily_limit: Nullable(
      Type.Integer({ description: 'Calls per day of all keys of all bots together; null means no such limit.' }),
    ),
    created_at: Timestamp,
  },
  { $id: 'Workspace' },
)
export type Workspace = Static<typeof Workspace>

const CreateWorkspace = Type.Object({
  name: Name,
  plan: Type.Optional(OneOf(PLANS)),
  daily_limit: Type.Optional(Nullable(DailyLimit)),
  total_daily_limit: Type.Optional(Nullable(DailyLimit)),
})

const PatchWorkspace = Type.Partial(CreateWorkspace)

const FOUND_KINDS = [
  ...(['bot', 'conversation', 'lead', 'document', 'passage', 'file'] as const),
  ...(['answer', 'product', 'website', 'key', 'member'] as const),
] as const

const WorkspaceSearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
  bot_id: Type.Optional(Type.String({ maxLength: 256, description: 'Results of this bot come first.' })),
})

export const Found = Type.Object(
  {
    kind: OneOf(FOUND_KINDS),
    id: Type.String(),
    bot_id: Nullable(Type.String({ description: 'The bot of the result; null for members.' })),
    bot_name: Nullable(Type.String()),
    title: Type.String(),
    detail: Nullable(Type.String({ description: 'A URL or email address, or the matching text, without Markdown.' })),
    visitor: Nullable(
      Type.Object(
        { id: Type.String(), name: Nullable(Type.String()) },
        {
          description:
            'Who wrote in a conversation, which was last changed `at`; both are null for everything else, and this through the API.',
        },
      ),
    ),
    at: Nullable(Timestamp),
    document_id: Nullable(Type.String({ description: 'The document of a passage.' })),
  },
  { $id: 'Found' },
)
export type Found = Static<typeof Found>

const WorkspaceSearchResults = Type.Object(
  {
    results: Type.Array(Found, { description: 'At most five of each kind.' }),
    complete: Type.Boolean({ description: 'False if the search timed out.' }),
  },
  { $id: 'WorkspaceSearchAnswer' },
)

export const workspaceRoutes = {
  'POST /api/manage/v1/workspaces': {
    summary: 'Create a workspace',
    tag: 'Workspaces',
    caller: 'instance_owner',
    body: CreateWorkspace,
    status: 201,
    response: Workspace,
    errors: [...OWNER_ERRORS, ...INPUT_ERRORS],
  },
  'GET /api/manage/v1/workspaces': {
    summary: 'List the workspaces you can see',
    tag: 'Workspaces',
    caller: 'management',
    role: 'viewer',
    query: PageQuery,
    status: 200,
    response: Page(Workspace),
    errors: MANAGER_ERRORS,
  },
  'GET /api/manage/v1/workspaces/{workspaceId}': {
    summary: 'Read a workspace',
    tag: 'Workspaces',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    status: 200,
    response: Workspace,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'PATCH /api/manage/v1/workspaces/{workspaceId}': {
    summary: 'Change the name, plan or daily limit of a workspace',
    tag: 'Workspaces',
    caller: 'instance_owner',
    params: ofWorkspace,
    body: PatchWorkspace,
    status: 200,
    response: Workspace,
    errors: [...OWNER_ERRORS, ...INPUT_ERRORS],
  },
} as const satisfies Record<string, RouteSpec>

export const workspaceSearchRoutes = {
  'GET /api/manage/v1/search': {
    summary: 'Search your workspace',
    description:
      'Searches bots, their content (titles, and passages by their words), keys, conversations and leads, and members, as far as your role allows. In workspaces with more than five bots, the passages of `bot_id` alone are searched. Only the newest 1,000 conversations of each bot are searched. The instance owner searches the workspace of `bot_id`.',
    tag: 'Workspaces',
    caller: 'management',
    role: 'viewer',
    query: WorkspaceSearchQuery,
    status: 200,
    response: WorkspaceSearchResults,
    errors: [...MANAGER_ERRORS, 'validation_failed'],
  },
} as const satisfies Record<string, RouteSpec>
