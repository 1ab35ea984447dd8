// Set-up, log-in and the current session.
import type { Static } from 'typebox'
import {
  Account,
  Code,
  Email,
  LinkToken,
  NewPassword,
  Password,
  SESSION_CHANGE_ERRORS,
  SESSION_ERRORS,
  THROTTLE_ERRORS,
} from './accounts.ts'
import { INPUT_ERRORS, ROLES, type RouteSpec } from './route.ts'
import { Name, Nullable, OneOf } from './schema.ts'
import { Type } from './type.ts'
import { PLANS } from './workspaces.ts'

const SetupState = Type.Object(
  {
    needed: Type.Boolean(),
    password_login: Type.Boolean({ description: 'Whether people log in with a password.' }),
    sso_name: Nullable(
      Type.String({ description: 'The label of the login through an OpenID provider, at `/auth/oidc`.' }),
    ),
  },
  { $id: 'SetupState', description: 'Whether there is an instance owner, and how people log in.' },
)

const SetUp = Type.Object({ token: LinkToken, email: Email, name: Name, password: NewPassword })

const LogIn = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Password,
  code: Type.Optional(Code),
})

const Reauthenticate = Type.Object({
  password: Password,
  code: Type.Optional(
    Type.String({
      ...Code,
      description: 'If the second factor is on: from the authenticator app, or a recovery code.',
    }),
  ),
})

export const Session = Type.Object(
  {
    account: Account,
    instance_owner: Type.Boolean({ description: 'Can see all workspaces.' }),
    workspace_id: Nullable(
      Type.String({ description: 'The current workspace of the management routes; null without any.' }),
    ),
    workspaces: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), plan: OneOf(PLANS), role: OneOf(ROLES) }),
      { description: 'For the instance owner, the current one and the first 200.' },
    ),
    sso_name: Nullable(
      Type.String({ description: 'An alternative to the password for confirming a session: `/auth/oidc?confirm=1`.' }),
    ),
    smtp: Type.Boolean({ description: 'Whether the server can send email.' }),
    widget_base_url: Nullable(
      Type.String({ description: 'The host of `/widget.js` and the product sync; null: this host.' }),
    ),
    file_max_bytes: Type.Integer({ description: 'How large an uploaded file may be.', examples: [20_971_520] }),
    attachment_max_bytes: Type.Integer({
      description: 'How large a file in a conversation may be.',
      examples: [5_242_880],
    }),
    action_timeout_seconds: Type.Integer({
      description: 'How long an action waits for the system that it calls.',
      examples: [10],
    }),
  },
  { $id: 'Session', description: 'The logged-in person and their workspaces.' },
)
export type Session = Static<typeof Session>

const ChooseWorkspace = Type.Object({ workspace_id: Type.String({ minLength: 1, maxLength: 256 }) })

export const sessionRoutes = {
  'GET /api/manage/v1/setup': {
    summary: 'Read whether the instance has an owner',
    tag: 'Accounts',
    caller: 'anyone',
    status: 200,
    response: SetupState,
    errors: [],
  },
  'POST /api/manage/v1/setup': {
    summary: 'Create the account of the instance owner',
    description: 'With the token in the link that the server prints at startup. Sets the session cookie.',
    tag: 'Accounts',
    caller: 'anyone',
    body: SetUp,
    status: 200,
    response: Session,
    errors: [...INPUT_ERRORS, 'invalid_link', 'already_exists', 'cross_site_request'],
  },
  'POST /api/manage/v1/session': {
    summary: 'Log in',
    description: 'Sets the session cookie.',
    tag: 'Accounts',
    caller: 'anyone',
    body: LogIn,
    status: 200,
    response: Session,
    errors: ['password_login_disabled', ...INPUT_ERRORS, 'invalid_login', 'second_factor_required', ...THROTTLE_ERRORS],
  },
  'GET /api/manage/v1/session': {
    summary: 'Read who is logged in',
    description:
      'Emails to this person are sent from now on in the first language of `Accept-Language` that the dashboard has.',
    tag: 'Accounts',
    caller: 'session',
    status: 200,
    response: Session,
    errors: SESSION_ERRORS,
  },
  'PATCH /api/manage/v1/session': {
    summary: 'Choose the current workspace',
    tag: 'Accounts',
    caller: 'session',
    body: ChooseWorkspace,
    status: 200,
    response: Session,
    errors: [...SESSION_CHANGE_ERRORS, ...INPUT_ERRORS, 'not_found'],
  },
  'DELETE /api/manage/v1/session': {
    summary: 'Log out',
    tag: 'Accounts',
    caller: 'session',
    status: 204,
    errors: SESSION_CHANGE_ERRORS,
  },
  'POST /api/manage/v1/session/reauthenticate': {
    summary: 'Confirm your password, and the second factor if it is on',
    description:
      'For five minutes, allows this session what otherwise returns 403 `reauthentication_required`. Logging in does the same. A wrong password or code returns `validation_failed` with its field.',
    tag: 'Accounts',
    caller: 'session',
    body: Reauthenticate,
    status: 204,
    errors: ['password_login_disabled', ...SESSION_CHANGE_ERRORS, ...INPUT_ERRORS, 'rate_limited'],
  },
} as const satisfies Record<string, RouteSpec>
