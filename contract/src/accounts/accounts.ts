// People who log in to the dashboard: accounts, their sessions, invitations.
import { type Static, Type } from 'typebox'
import { Name, Nullable, OneOf, Timestamp } from '../schema.ts'
import { CreateMember, plans, roles } from './workspaces.ts'

export const PASSWORD_LEAST = 10
export const PASSWORD_MOST = 200

const Email = CreateMember.properties.email
const NewPassword = Type.String({
  minLength: PASSWORD_LEAST,
  maxLength: PASSWORD_MOST,
  description: 'Not the e-mail address, and none of the commonest passwords.',
  examples: ['three quiet zebras'],
})
// The rules for new ones must not lock out who has an older one.
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MOST })
const Code = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Of the authenticator app, or a recovery code.',
})
const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'What follows the # of the link.' })

export const SetupState = Type.Object(
  {
    needed: Type.Boolean(),
    password_login: Type.Boolean({ description: 'Whether people log in with a password.' }),
    sso_name: Nullable(
      Type.String({ description: 'What the log-in through an OpenID provider, at `/auth/oidc`, is called.' }),
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
      description: 'Where the second factor is on: of the authenticator app, or a recovery code.',
    }),
  ),
})

export const Account = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    two_factor: Type.Boolean({ description: 'Whether a log-in needs a code.' }),
    sso: Type.Boolean({ description: 'Whether a person at the OpenID provider logs in to it.' }),
  },
  { $id: 'Account', description: 'A person. What they may do in a workspace is said by its members.' },
)
export type Account = Static<typeof Account>

export const Session = Type.Object(
  {
    account: Account,
    instance_owner: Type.Boolean({ description: 'Sees all workspaces.' }),
    workspace_id: Nullable(
      Type.String({ description: 'The current one, which the management routes act in; null without any.' }),
    ),
    workspaces: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), plan: OneOf(plans), role: OneOf(roles) }),
      { description: 'Of the instance owner, the current one and the first 200.' },
    ),
    sso_name: Nullable(
      Type.String({ description: 'Where actions ask for the password, `/auth/oidc?confirm=1` does as well.' }),
    ),
    smtp: Type.Boolean({ description: 'Whether the server can send e-mail.' }),
    widget_base_url: Nullable(
      Type.String({ description: 'Where `/widget.js` and the product sync are; null: on this host.' }),
    ),
  },
  { $id: 'Session', description: 'Who is logged in, and where.' },
)
export type Session = Static<typeof Session>

export const ChooseWorkspace = Type.Object({ workspace_id: Type.String({ minLength: 1, maxLength: 256 }) })

export const PatchAccount = Type.Object({
  name: Type.Optional(Name),
  email: Type.Optional(
    Type.String({ ...Email, description: 'To log in with from now on. Another one takes a confirmed session.' }),
  ),
})

export const ChangePassword = Type.Object({ current_password: Password, new_password: NewPassword })

export const AccountSession = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'The one that asks.' }),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    ip: Type.String(),
    user_agent: Type.String(),
  },
  { $id: 'AccountSession' },
)
export type AccountSession = Static<typeof AccountSession>

export const TwoFactorBegun = Type.Object(
  {
    secret: Type.String({ description: 'Base32, for typing in.' }),
    uri: Type.String({ description: '`otpauth://…`, for a QR code.' }),
  },
  { $id: 'TwoFactorBegun' },
)

export const TwoFactorCode = Type.Object({ code: Code })

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), { description: 'Each logs in once instead of a code; shown only here.' }),
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
    link: Type.String({ description: 'Lets whoever has it join; shown only here.' }),
    sent: Type.Boolean({ description: 'Whether it was also sent by e-mail.' }),
  }),
])

export const AcceptInvitation = Type.Object({
  token: LinkToken,
  name: Name,
  password: Type.String({
    minLength: 1,
    maxLength: PASSWORD_MOST,
    description: 'A new one, or of an e-mail address that has an account already, its own.',
  }),
  code: Type.Optional(Code),
})

export const ResetLink = Type.Object(
  {
    link: Type.String({ description: 'Lets whoever has it set a new password; shown only here.' }),
    expires_at: Timestamp,
  },
  { $id: 'ResetLink' },
)

export const RequestReset = Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) })

export const ResetPassword = Type.Object({
  token: LinkToken,
  password: NewPassword,
  revoke_tokens: Type.Optional(
    Type.Boolean({ description: 'Also revoke the management tokens of this person, in every workspace.' }),
  ),
})
