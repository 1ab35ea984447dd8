// A person's own account: name, email address, password, second factor, sessions.
import type { Static } from 'typebox'
import { PASSWORD_MIN_LENGTH } from './limits.ts'
import { CONFIRMATION_ERRORS, INPUT_ERRORS, type RouteSpec } from './route.ts'
import { Id, Name, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const PASSWORD_MAX_LENGTH = 200

export const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })
export const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  description: 'Must not be the email address or a common password.',
  examples: ['three quiet zebras'],
})
// The rules for new passwords must not lock out people with older ones.
export const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH })
export const Code = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'From the authenticator app, or a recovery code.',
})
export const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'The part of the link after #.' })

export const Account = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    two_factor: Type.Boolean({ description: 'Whether login requires a code.' }),
    sso: Type.Boolean({ description: 'Whether it is linked to the OpenID provider.' }),
    pending_email: Type.Optional(
      Type.String({ description: 'In the response to a change: the address that a link was sent to.' }),
    ),
  },
  { $id: 'Account', description: 'A person. Their permissions in a workspace are in its members.' },
)
export type Account = Static<typeof Account>

const PatchAccount = Type.Object({
  name: Type.Optional(Name),
  email: Type.Optional(
    Type.String({
      ...Email,
      description: 'The new login address. Requires a confirmed session. A link is sent to it.',
    }),
  ),
})

const ConfirmEmail = Type.Object({ token: LinkToken })

const ChangePassword = Type.Object({ current_password: Password, new_password: NewPassword })

export const AccountSession = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'The session of this request.' }),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    ip: Type.String(),
    user_agent: Type.String(),
  },
  { $id: 'AccountSession' },
)
export type AccountSession = Static<typeof AccountSession>

const TwoFactorSetup = Type.Object(
  {
    secret: Type.String({ description: 'Base32, for manual entry.' }),
    uri: Type.String({ description: '`otpauth://…`, for a QR code.' }),
  },
  { $id: 'TwoFactorSetup' },
)

const TwoFactorCode = Type.Object({ code: Code })

const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), { description: 'Each replaces a code once; shown only here.' }),
  },
  { $id: 'RecoveryCodes' },
)

const EndTwoFactor = Type.Object({ password: Type.Optional(Password) })

const RequestReset = Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) })

const ResetPassword = Type.Object({
  token: LinkToken,
  password: NewPassword,
  revoke_tokens: Type.Optional(
    Type.Boolean({ description: 'Also revokes the management tokens of this person in all workspaces.' }),
  ),
})

const ofAccountSession = Params({ sessionId: Id })

export const SESSION_ERRORS = ['invalid_management_token'] as const
export const SESSION_CHANGE_ERRORS = [...SESSION_ERRORS, 'cross_site_request'] as const
export const THROTTLE_ERRORS = ['rate_limited', 'cross_site_request'] as const

export const accountRoutes = {
  'PATCH /api/manage/v1/account': {
    summary: 'Change your name or email address',
    description:
      'A new address is not used before it is proven: a link is sent to it (`pending_email`), which is valid for an hour. If the server cannot send email, an owner changes it in the list of members.',
    tag: 'Accounts',
    caller: 'session',
    body: PatchAccount,
    status: 200,
    response: Account,
    errors: [
      ...SESSION_CHANGE_ERRORS,
      ...INPUT_ERRORS,
      ...CONFIRMATION_ERRORS,
      'already_exists',
      'rate_limited',
      'email_proof_required',
    ],
  },
  'POST /api/manage/v1/account/email': {
    summary: 'Confirm your new email address with the token of the link sent to it',
    description:
      'The session must be of the account that asked. The address then changes in all workspaces; all other sessions, your management tokens, links sent to the old address and the link to single sign-on end. Both addresses are notified.',
    tag: 'Accounts',
    caller: 'session',
    body: ConfirmEmail,
    status: 200,
    response: Account,
    errors: [...SESSION_CHANGE_ERRORS, ...INPUT_ERRORS, 'invalid_link', 'already_exists'],
  },
  'POST /api/manage/v1/account/password': {
    summary: 'Change your password, which ends all other sessions',
    description: 'If the second factor is on, the session must be confirmed.',
    tag: 'Accounts',
    caller: 'session',
    body: ChangePassword,
    status: 204,
    errors: [...SESSION_CHANGE_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'rate_limited'],
  },
  'GET /api/manage/v1/account/sessions': {
    summary: 'List your sessions',
    tag: 'Accounts',
    caller: 'session',
    query: PageQuery,
    status: 200,
    response: Page(AccountSession),
    errors: SESSION_ERRORS,
  },
  'DELETE /api/manage/v1/account/sessions/{sessionId}': {
    summary: 'End one of your sessions',
    tag: 'Accounts',
    caller: 'session',
    params: ofAccountSession,
    status: 204,
    errors: [...SESSION_CHANGE_ERRORS, 'not_found'],
  },
  'POST /api/manage/v1/account/two-factor': {
    summary: 'Start setting up a second factor: get a secret for an authenticator app',
    tag: 'Accounts',
    caller: 'session',
    status: 200,
    response: TwoFactorSetup,
    errors: [...SESSION_CHANGE_ERRORS, ...CONFIRMATION_ERRORS, 'already_exists'],
  },
  'POST /api/manage/v1/account/two-factor/confirm': {
    summary: 'Enable the second factor with a first code',
    tag: 'Accounts',
    caller: 'session',
    body: TwoFactorCode,
    status: 200,
    response: RecoveryCodes,
    errors: [...SESSION_CHANGE_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'already_exists', 'rate_limited'],
  },
  'POST /api/manage/v1/account/two-factor/recovery-codes': {
    summary: 'Create new recovery codes, which invalidates the old ones',
    tag: 'Accounts',
    caller: 'session',
    body: TwoFactorCode,
    status: 200,
    response: RecoveryCodes,
    errors: [...SESSION_CHANGE_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'rate_limited'],
  },
  'DELETE /api/manage/v1/account/two-factor': {
    summary: 'Disable the second factor',
    tag: 'Accounts',
    caller: 'session',
    body: EndTwoFactor,
    status: 204,
    errors: [...SESSION_CHANGE_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'rate_limited'],
  },
  'DELETE /api/manage/v1/account/sso': {
    summary: 'Unlink your account from single sign-on, which ends all other sessions',
    description: 'The account must have a password: otherwise 409 `password_not_set`.',
    tag: 'Accounts',
    caller: 'session',
    status: 204,
    errors: [
      ...SESSION_CHANGE_ERRORS,
      ...CONFIRMATION_ERRORS,
      'not_found',
      'password_login_disabled',
      'password_not_set',
    ],
  },
} as const satisfies Record<string, RouteSpec>

export const passwordResetRoutes = {
  'POST /api/manage/v1/password-reset/request': {
    summary: 'Request a password reset link by email',
    description: 'The response is the same whether or not the account exists.',
    tag: 'Accounts',
    caller: 'anyone',
    body: RequestReset,
    status: 202,
    errors: ['password_login_disabled', ...INPUT_ERRORS, ...THROTTLE_ERRORS],
  },
  'POST /api/manage/v1/password-reset': {
    summary: 'Set a new password with the token of a link, which ends all sessions',
    description:
      'A link that was requested by email also proves the address: it ends the second factor and the link to single sign-on.',
    tag: 'Accounts',
    caller: 'anyone',
    body: ResetPassword,
    status: 204,
    errors: ['password_login_disabled', ...INPUT_ERRORS, 'invalid_link', 'cross_site_request'],
  },
} as const satisfies Record<string, RouteSpec>
