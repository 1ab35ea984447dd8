// One row of the route table, the types derived from it, and what rows share.
import type { Static, TObject, TSchema } from 'typebox'
import type { AuditAction } from './audit-actions.ts'
import type { ErrorCode } from './errors.ts'
import { Id, Params } from './schema.ts'
import { Type } from './type.ts'

/**
 * Who may call: an API key or the sync key of one bot, a page that may embed its widget, a visitor with a token, a
 * management caller (token or session) with at least a role, the instance owner, a logged-in person, the operator of
 * the machine, or anyone.
 */
export type Caller =
  | 'chat_key'
  | 'sync_key'
  | 'widget'
  | 'visitor'
  | 'management'
  | 'instance_owner'
  | 'session'
  | 'operator'
  | 'anyone'

/** The sections of the API reference, in its order. */
export const tags = {
  Chat: 'Ask a bot from your own applications.',
  Widget: 'Routes of the widget; public by bot id.',
  Inbox: 'Conversations, handover to people, and leads.',
  Insights: 'Analytics: what visitors ask, how well it is answered, and what content is missing.',
  Privacy: 'Personal data of visitors: export, erasure, retention.',
  Workspaces: 'Customers, their plans, members and tokens.',
  Accounts: 'Dashboard users: setup, sessions, invitations, passwords, the audit log.',
  Bots: 'The chatbots of a workspace.',
  Knowledge: 'The content that a bot answers from.',
  Products: "A shop's catalogue and its feeds.",
  Actions: 'What a bot can do for visitors in other systems.',
  Keys: 'Credentials of a bot.',
  Webhooks: 'Events sent to your own servers, signed by Standard Webhooks.',
  Notifications: 'Emails and chat messages for the team.',
  System: 'Health and metrics of the service.',
} as const

export interface RouteSpec {
  summary: string
  description?: string
  tag: keyof typeof tags
  caller: Caller
  /** False: does not count towards the API key's quota, or the handler counts it. */
  counted?: false
  /** For management callers: the minimum role. */
  role?: Role
  params?: TObject
  query?: TObject
  headers?: TObject
  body?: TSchema
  /** Text fields of the body to trim before validation. */
  trims?: readonly string[]
  /** Null in any body field counts as absent; otherwise only in `session_id`. */
  nullIsAbsent?: boolean
  /** A list in the body, validated item by item; also accepted as newline-delimited JSON or CSV, one item per line. */
  bulk?: string
  /** A multipart form with files, read by the handler. */
  multipart?: boolean
  bodyLimitBytes?: number
  /** The handler streams the body: JSON or newline-delimited JSON, perhaps compressed. */
  streamed?: boolean
  status: 200 | 201 | 202 | 204
  response?: TSchema
  /** Headers of the response that callers may want to read, each with its description. */
  responseHeaders?: Record<string, string>
  /** A second possible status, without a body. */
  emptyResponse?: { status: 202; description: string }
  /** Media type of the response if it is not JSON. */
  responseType?: string
  /** An alternative form of the response, by media type. */
  alternative?: { type: string; schema: TSchema }
  errors: readonly ErrorCode[]
  /** The action's name in the audit log. */
  audit?: AuditAction
}

type Has<T, Name extends string> = T extends Record<Name, infer S> ? (S extends TSchema ? S : never) : never
type StaticOr<S, Otherwise> = [S] extends [never] ? Otherwise : S extends TSchema ? Static<S> : Otherwise

export type ParamsOf<R> = StaticOr<Has<R, 'params'>, Record<string, never>>
export type QueryOf<R> = StaticOr<Has<R, 'query'>, Record<string, never>>
export type BodyOf<R> = StaticOr<Has<R, 'body'>, undefined>
export type ResponseOf<R> = StaticOr<Has<R, 'response'>, undefined>

/** Ascending: each role includes the permissions of those before it. */
export const ROLES = ['viewer', 'agent', 'editor', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** Of the routes that send a message to a bot. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
})
export const REPLAY_HEADERS = {
  'Idempotent-Replayed': '`true` when the answer is the stored one of an earlier call with the same Idempotency-Key.',
}

export const ofWorkspace = Params({ workspaceId: Id })
export const ofMember = Params({ workspaceId: Id, memberId: Id })
export const ofBot = Params({ botId: Id })
export const ofConversation = Params({ botId: Id, conversationId: Id })

export const INPUT_ERRORS = [
  'invalid_json',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
] as const
/** The last one applies to session cookies only. */
export const MANAGER_ERRORS = ['invalid_management_token', 'role_required', 'cross_site_request'] as const
/** Needs a confirmed session; the management token of a member is not enough. */
export const CONFIRMATION_ERRORS = ['reauthentication_required'] as const
export const OWNER_ERRORS = [...MANAGER_ERRORS, 'not_found'] as const
