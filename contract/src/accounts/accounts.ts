// Accounts of dashboard users, their sessions and invitations.
import { type Static, Type } from 'typebox'
import { Name, Nullable, OneOf, Timestamp } from '../schema.ts'
import { CreateMember, plans, roles } from './workspaces.ts'

export const PASSWORD_MIN_LENGTH = 10
export const PASSWORD_MAX_LENGTH = 200

const Email = CreateMember.properties.email
const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  description: 'Must not be the email address or a common password.',
  examples: ['three quiet zebras'],
})
// The rules for new passwords must not lock out people with older ones.
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH })
const Code = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'From the authenticator app, or a recovery code.',
})
const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'The part of the link after #.' })

export const SetupState = Type.Object(
  {
    needed: Type.Boolean(),
    password_login: Type.Boolean({ description: 'Whether people log in with a password.' }),
    sso_name: Nullable(
      Type.String({ description: 'The label of the login through an OpenID provider, at `/auth/oidc`.' }),
    ),
  },
  { $id: 'SetupState', description: 'Whether there is an instance owner, and how people log in.' },
)

export const SetUp = Type.Object({ token: LinkToken, email: Email, name: Name, password: NewPassword })

export const LogIn = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Password,
  code: Type.Optional(Code),
})

export const Reauthenticate = Type.Object({
  password: Password,
  code: Type.Optional(
    Type.String({
      ...Code,
      description: 'If the second factor is on: from the authenticator app, or a recovery code.',
    }),
  ),
})

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

export const Session = Type.Object(
  {
    account: Account,
    instance_owner: Type.Boolean({ description: 'Can see all workspaces.' }),
    workspace_id: Nullable(
      Type.String({ description: 'The current workspace of the management routes; null without any.' }),
    ),
    workspaces: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), plan: OneOf(plans), role: OneOf(roles) }),
      { description: 'For the instance owner, the current one and the first 200.' },
    ),
    sso_name: Nullable(
      Type.String({ description: 'An alternative to the password for confirming a session: `/auth/oidc?confirm=1`.' }),
    ),
    smtp: Type.Boolean({ description: 'Whether the server can send email.' }),
    widget_base_url: Nullable(
      Type.String({ description: 'The host of `/widget.js` and the product sync; null: this host.' }),
    ),
  },
  { $id: 'Session', description: 'The logged-in person and their workspaces.' },
)
export type Session = Static<typeof Session>

export const ChooseWorkspace = Type.Object({ workspace_id: Type.String({ minLength: 1, maxLength: 256 }) })

export const PatchAccount = Type.Object({
  name: Type.Optional(Name),
  email: Type.Optional(
    Type.String({
      ...Email,
      description: 'The new login address. Requires a confirmed session. A link is sent to it.',
    }),
  ),
})

export const ConfirmEmail = Type.Object({ token: LinkToken })

export const ChangePassword = Type.Object({ current_password: Password, new_password: NewPassword })

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

export const TwoFactorSetup = Type.Object(
  {
    secret: Type.String({ description: 'Base32, for manual entry.' }),
    uri: Type.String({ description: '`otpauth://…`, for a QR code.' }),
  },
  { $id: 'TwoFactorSetup' },
)

export const TwoFactorCode = Type.Object({ code: Code })

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), { description: 'Each replaces a code once; shown only here.' }),
  },
  { $id: 'RecoveryCodes' },
)

export const EndTwoFactor = Type.Object({ password: Type.Optional(Password) })

export const Invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Nullable(Type.String()),
    role: OneOf(roles),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { $id: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

export const CreateInvitation = Type.Object({ email: Email, name: Type.Optional(Name), role: OneOf(roles) })

export const CreatedInvitation = Type.Intersect([
  Invitation,
  Type.Object({
    link: Type.String({ description: 'Anyone with the link can join; shown only here.' }),
    sent: Type.Boolean({ description: 'Whether it was also sent by email.' }),
  }),
])

export const AcceptInvitation = Type.Object({
  token: LinkToken,
  name: Name,
  password: Type.String({
    minLength: 1,
    maxLength: PASSWORD_MAX_LENGTH,
    description: 'A new password, or the existing one if the email address already has an account.',
  }),
  code: Type.Optional(Code),
})

export const ResetLink = Type.Object(
  {
    link: Type.String({ description: 'Anyone with the link can set a new password; shown only here.' }),
    expires_at: Timestamp,
  },
  { $id: 'ResetLink' },
)

export const RequestReset = Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) })

export const ResetPassword = Type.Object({
  token: LinkToken,
  password: NewPassword,
  revoke_tokens: Type.Optional(
    Type.Boolean({ description: 'Also revokes the management tokens of this person in all workspaces.' }),
  ),
})
