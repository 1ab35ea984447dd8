// The inbox across all bots of a workspace: shared data and personal settings.
import type { Static } from 'typebox'
import { Avatar, AvatarInput } from './bots.ts'
import {
  ConversationSummary,
  conversationFilters,
  InboxEvents,
  Person,
  WorkspaceConversationsQuery,
} from './conversations.ts'
import { REPLY_LENGTH } from './limits.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofWorkspace, type RouteSpec } from './route.ts'
import { Id, Name, NOT_BLANK, Nullable, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const Inbox = Type.Object(
  {
    me: Type.String({ description: 'Your id as an assignee.' }),
    agents: Type.Array(
      Type.Object({
        ...Person.properties,
        avatar: Nullable(Type.String()),
        open: Type.Integer(),
        available: Type.Boolean({ description: 'Has an account, is online, and within their working hours.' }),
      }),
      { description: 'Members who can be assigned, with their number of open conversations.' },
    ),
    members: Type.Array(Person, { description: 'All members: they can be mentioned in notes.' }),
    unread_mentions: Type.Integer({
      description: 'Conversations with a note that mentions you and that you have not read.',
    }),
    tags: Type.Array(Type.Object({ name: Type.String(), conversations: Type.Integer() })),
  },
  { $id: 'Inbox' },
)
export type Inbox = Static<typeof Inbox>

const SavedFilter = Type.Object({
  name: Name,
  query: Type.Partial(Type.Object({ ...conversationFilters, bot_id: Type.String({ maxLength: 100 }) })),
})

export const SavedFilters = Type.Object(
  { filters: Type.Array(SavedFilter, { maxItems: 50, description: 'Your own, in your order.' }) },
  { $id: 'SavedFilters' },
)
export type SavedFilters = Static<typeof SavedFilters>

const CannedReplyInput = Type.Object(
  {
    shortcut: Type.String({
      pattern: '^[\\p{L}\\p{N}_-]{1,40}$',
      description: 'Agents type it after a slash.',
      examples: ['greeting'],
    }),
    text: Type.String({
      minLength: 1,
      maxLength: REPLY_LENGTH,
      pattern: NOT_BLANK,
      description: 'May contain {{visitor.name}}, {{agent.name}} and {{bot.name}}.',
    }),
  },
  { $id: 'CannedReplyInput' },
)

export const CannedReply = Type.Object(
  { id: Type.String(), ...CannedReplyInput.properties, updated_at: Timestamp },
  { $id: 'CannedReply' },
)
export type CannedReply = Static<typeof CannedReply>

const PatchCannedReply = Type.Partial(CannedReplyInput, { $id: 'PatchCannedReply' })

const ofCannedReply = Params({ workspaceId: Id, replyId: Id })

export const inboxRoutes = {
  'GET /api/manage/v1/workspaces/{workspaceId}/conversations': {
    summary: 'List the conversations of all bots by newest message',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    query: WorkspaceConversationsQuery,
    status: 200,
    response: Page(ConversationSummary),
    alternative: { type: 'text/csv', schema: Type.String() },
    errors: [...MANAGER_ERRORS, 'validation_failed', 'not_found'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/inbox': {
    summary: 'Read the members, the load of those who can be assigned, your unread mentions, and the tags in use',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    status: 200,
    response: Inbox,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'POST /api/manage/v1/workspaces/{workspaceId}/avatar': {
    summary: 'Upload your picture',
    description:
      'PNG, JPEG or WebP, at most 200 kB and 1024 pixels wide and high. Your colleagues see it, and visitors of bots with a `widget.team_avatar`.',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    body: AvatarInput,
    multipart: true,
    bodyLimitBytes: 1024 * 1024,
    status: 201,
    response: Avatar,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'not_found'],
  },
  'DELETE /api/manage/v1/workspaces/{workspaceId}/avatar': {
    summary: 'Remove your picture',
    description: 'Also when you have none.',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    status: 204,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/avatars/{avatarId}': {
    summary: 'Read the picture of a member',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: Type.Object({ ...ofWorkspace.properties, avatarId: Type.String({ maxLength: 100 }) }),
    status: 200,
    response: Type.String({ format: 'binary' }),
    responseType: 'application/octet-stream',
    alternative: { type: 'image/*', schema: Type.String({ format: 'binary' }) },
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/events': {
    summary: 'Stream live events of the conversations of all bots',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    status: 200,
    response: InboxEvents,
    responseType: 'text/event-stream',
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/saved-filters': {
    summary: 'Read your saved inbox filters',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    status: 200,
    response: SavedFilters,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'PUT /api/manage/v1/workspaces/{workspaceId}/saved-filters': {
    summary: 'Replace your saved inbox filters',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    body: SavedFilters,
    status: 200,
    response: SavedFilters,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'not_found'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/canned-replies': {
    summary: 'List the canned replies',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    query: PageQuery,
    status: 200,
    response: Page(CannedReply),
    errors: [...MANAGER_ERRORS, 'validation_failed', 'not_found'],
  },
  'POST /api/manage/v1/workspaces/{workspaceId}/canned-replies': {
    summary: 'Add a canned reply',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofWorkspace,
    body: CannedReplyInput,
    trims: ['shortcut', 'text'],
    status: 201,
    response: CannedReply,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'not_found', 'already_exists', 'too_many_canned_replies'],
  },
  'PATCH /api/manage/v1/workspaces/{workspaceId}/canned-replies/{replyId}': {
    summary: 'Change a canned reply',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofCannedReply,
    body: PatchCannedReply,
    trims: ['shortcut', 'text'],
    status: 200,
    response: CannedReply,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'not_found', 'already_exists'],
  },
  'DELETE /api/manage/v1/workspaces/{workspaceId}/canned-replies/{replyId}': {
    summary: 'Delete a canned reply',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofCannedReply,
    status: 204,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
