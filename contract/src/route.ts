// The shape of one row of the route table, and the types that follow from it.
import type { Static, TObject, TSchema } from 'typebox'
import type { AuditAction } from './accounts/audit.ts'
import type { Role } from './accounts/workspaces.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call: an API key or the sync key of one bot, a page that the bot's widget may be on, a visitor with a token, a
 * management caller (token or session) with at least a role, the instance owner, a person who is logged in, who runs the
 * machine, or anyone.
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

type Tag =
  | 'Chat'
  | 'Widget'
  | 'Inbox'
  | 'Insights'
  | 'Privacy'
  | 'Workspaces'
  | 'Accounts'
  | 'Bots'
  | 'Knowledge'
  | 'Products'
  | 'Keys'
  | 'Webhooks'
  | 'Notifications'
  | 'System'

export interface RouteSpec {
  summary: string
  description?: string
  tag: Tag
  caller: Caller
  /** False: not counted against the quota of the API key, or by the handler itself. */
  counted?: false
  /** For management callers: the least role that may. */
  role?: Role
  params?: TObject
  query?: TObject
  headers?: TObject
  body?: TSchema
  /** Text fields of the body that are trimmed before they are checked. */
  trims?: readonly string[]
  /** A field of the body that is null is as if it was left out; else this holds for `session_id` alone. */
  nullIsAbsent?: boolean
  /** A list in the body whose items are checked one by one; also taken as newline-delimited JSON, an item a line, and as CSV, an item a row. */
  bulk?: string
  /** The body is a form with files, read by the handler. */
  multipart?: boolean
  bodyLimitBytes?: number
  /** The handler reads the body itself, as it arrives: JSON or newline-delimited JSON, perhaps compressed. */
  streamed?: boolean
  status: 200 | 201 | 202 | 204
  answer?: TSchema
  /** A second status, without a body. */
  emptyAnswer?: { status: 202; description: string }
  /** Media type of the answer when it is not JSON. */
  answerType?: string
  /** A second form of the answer, by media type. */
  alternative?: { type: string; schema: TSchema }
  errors: readonly ErrorCode[]
  /** What the audit log calls it when somebody has done this to a bot. */
  audit?: AuditAction
}

type Has<T, Name extends string> = T extends Record<Name, infer S> ? (S extends TSchema ? S : never) : never
type StaticOr<S, Otherwise> = [S] extends [never] ? Otherwise : S extends TSchema ? Static<S> : Otherwise

export type ParamsOf<R> = StaticOr<Has<R, 'params'>, Record<string, never>>
export type QueryOf<R> = StaticOr<Has<R, 'query'>, Record<string, never>>
export type BodyOf<R> = StaticOr<Has<R, 'body'>, undefined>
export type AnswerOf<R> = StaticOr<Has<R, 'answer'>, undefined>
