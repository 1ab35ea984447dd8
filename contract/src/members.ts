// The members of a workspace, their management tokens, and invitations.
import type { Static } from 'typebox'
import { Code, Email, LinkToken, PASSWORD_MAX_LENGTH, THROTTLE_ERRORS } from './accounts.ts'
import {
  CONFIRMATION_ERRORS,
  INPUT_ERRORS,
  MANAGER_ERRORS,
  ofMember,
  ofWorkspace,
  ROLES,
  type RouteSpec,
} from './route.ts'
import { Id, Name, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Session } from './sessions.ts'
import { Type } from './type.ts'

export const Member = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: OneOf(ROLES),
    has_account: Type.Boolean({ description: 'Whether they can log in; see invitations.' }),
    two_factor: Type.Optional(Type.Boolean({ description: 'Whether login requires a code; visible to owners.' })),
    created_at: Timestamp,
  },
  { $id: 'Member' },
)
export type Member = Static<typeof Member>

const CreateMember = Type.Object({
  email: Email,
  name: Name,
  role: OneOf(ROLES),
})

const PatchMember = Type.Partial(Type.Pick(CreateMember, ['name', 'role']))

const ChangeMemberEmail = Type.Pick(CreateMember, ['email'])

export const Token = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String(),
    last_four: Type.String(),
    created_at: Timestamp,
    expires_at: Nullable(Timestamp),
  },
  { $id: 'Token', description: 'A personal management token. The secret is shown once, on creation.' },
)
export type Token = Static<typeof Token>

const CreateToken = Type.Object({ name: Name, expires_at: Type.Optional(Nullable(Timestamp)) })

const CreatedToken = Type.Intersect([
  Token,
  Type.Object({ token: Type.String({ description: 'The secret; shown only here.' }) }),
])

export const Invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Nullable(Type.String()),
    role: OneOf(ROLES),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { $id: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

const CreateInvitation = Type.Object({ email: Email, name: Type.Optional(Name), role: OneOf(ROLES) })

const CreatedInvitation = Type.Intersect([
  Invitation,
  Type.Object({
    link: Type.String({ description: 'Anyone with the link can join; shown only here.' }),
    sent: Type.Boolean({ description: 'Whether it was also sent by email.' }),
  }),
])

const AcceptInvitation = Type.Object({
  token: LinkToken,
  name: Name,
  password: Type.String({
    minLength: 1,
    maxLength: PASSWORD_MAX_LENGTH,
    description: 'A new password, or the existing one if the email address already has an account.',
  }),
  code: Type.Optional(Code),
})

const ReadInvitation = Type.Object({ token: LinkToken })

const OpenInvitation = Type.Object(
  {
    workspace: Type.String({ description: 'Its name.' }),
    email: Type.String({ description: 'The invited address, which the account will have.' }),
    role: OneOf(ROLES),
    invited_by: Nullable(Type.String({ description: 'Name and address of who invites; null: not a person.' })),
    expires_at: Timestamp,
  },
  { $id: 'OpenInvitation' },
)
export type OpenInvitation = Static<typeof OpenInvitation>

const ResetLink = Type.Object(
  {
    link: Type.String({ description: 'Anyone with the link can set a new password; shown only here.' }),
    expires_at: Timestamp,
  },
  { $id: 'ResetLink' },
)

const ofToken = Params({ workspaceId: Id, memberId: Id, tokenId: Id })
const ofInvitation = Params({ workspaceId: Id, invitationId: Id })

export const memberRoutes = {
  'POST /api/manage/v1/workspaces/{workspaceId}/members': {
    summary: 'Add a member',
    description: 'Adding an owner requires a confirmed session or `ADMIN_TOKEN`.',
    tag: 'Workspaces',
    caller: 'management',
    role: 'owner',
    params: ofWorkspace,
    body: CreateMember,
    status: 201,
    response: Member,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'not_found', 'already_exists'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/members': {
    summary: 'List the members',
    tag: 'Workspaces',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    query: PageQuery,
    status: 200,
    response: Page(Member),
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'PATCH /api/manage/v1/workspaces/{workspaceId}/members/{memberId}': {
    summary: "Change a member's name or role",
    description: 'Making somebody an owner requires a confirmed session or `ADMIN_TOKEN`.',
    tag: 'Workspaces',
    caller: 'management',
    role: 'owner',
    params: ofMember,
    body: PatchMember,
    status: 200,
    response: Member,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'not_found', 'last_owner'],
  },
  'DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}': {
    summary: 'Remove a member and their tokens',
    description:
      'Also ends the invitations, reset links and tokens that they made for others, as does taking the role of an owner from somebody.',
    tag: 'Workspaces',
    caller: 'management',
    role: 'owner',
    params: ofMember,
    status: 204,
    errors: [...MANAGER_ERRORS, 'not_found', 'last_owner'],
  },
  'POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens': {
    summary: 'Create a management token for yourself',
    description:
      'Requires a confirmed session of that member, or `ADMIN_TOKEN`, which creates tokens for any member: tokens cannot create tokens.',
    tag: 'Workspaces',
    caller: 'management',
    role: 'owner',
    params: ofMember,
    body: CreateToken,
    status: 201,
    response: CreatedToken,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'not_found'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens': {
    summary: "List a member's tokens",
    tag: 'Workspaces',
    caller: 'management',
    role: 'owner',
    params: ofMember,
    query: PageQuery,
    status: 200,
    response: Page(Token),
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens/{tokenId}': {
    summary: 'Revoke a token',
    tag: 'Workspaces',
    caller: 'management',
    role: 'owner',
    params: ofToken,
    status: 204,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>

export const invitationRoutes = {
  'POST /api/manage/v1/workspaces/{workspaceId}/invitations': {
    summary: 'Invite somebody',
    description:
      'A second invitation to an email address replaces the first. Inviting an owner requires a confirmed session or `ADMIN_TOKEN`.',
    tag: 'Accounts',
    caller: 'management',
    role: 'owner',
    params: ofWorkspace,
    body: CreateInvitation,
    status: 201,
    response: CreatedInvitation,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, ...CONFIRMATION_ERRORS, 'not_found', 'already_exists'],
  },
  'GET /api/manage/v1/workspaces/{workspaceId}/invitations': {
    summary: 'List pending invitations',
    tag: 'Accounts',
    caller: 'management',
    role: 'owner',
    params: ofWorkspace,
    query: PageQuery,
    status: 200,
    response: Page(Invitation),
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'DELETE /api/manage/v1/workspaces/{workspaceId}/invitations/{invitationId}': {
    summary: 'Withdraw an invitation',
    tag: 'Accounts',
    caller: 'management',
    role: 'owner',
    params: ofInvitation,
    status: 204,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'POST /api/manage/v1/invitations/read': {
    summary: 'Read an invitation before accepting it',
    description: 'Null if the link was used, has expired or was replaced by a newer one.',
    tag: 'Accounts',
    caller: 'anyone',
    body: ReadInvitation,
    status: 200,
    response: Type.Object({ invitation: Nullable(OpenInvitation) }),
    errors: INPUT_ERRORS,
  },
  'POST /api/manage/v1/invitations/accept': {
    summary: 'Accept an invitation',
    description: 'Creates an account, or uses the existing one of the email address. Sets the session cookie.',
    tag: 'Accounts',
    caller: 'anyone',
    body: AcceptInvitation,
    status: 200,
    response: Session,
    errors: [
      'password_login_disabled',
      ...INPUT_ERRORS,
      'invalid_link',
      'invalid_login',
      'second_factor_required',
      ...THROTTLE_ERRORS,
    ],
  },
} as const satisfies Record<string, RouteSpec>

export const memberAccountRoutes = {
  'POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/reset-link': {
    summary: 'Create a password reset link for a member',
    description:
      'Only the instance owner can do this for members of other workspaces or the instance owner; nobody can for themselves. Requires a confirmed session or `ADMIN_TOKEN`.',
    tag: 'Accounts',
    caller: 'management',
    role: 'owner',
    params: ofMember,
    status: 201,
    response: ResetLink,
    errors: [...MANAGER_ERRORS, ...CONFIRMATION_ERRORS, 'not_found', 'no_account'],
  },
  'POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/email': {
    summary: 'Change the email address of a member, where the server cannot send email',
    description:
      'Vouches that the address is theirs. Ends their sessions, their management tokens and the link to single sign-on. Only the instance owner can do this for themselves and for members of other workspaces. Requires a confirmed session or `ADMIN_TOKEN`.',
    tag: 'Accounts',
    caller: 'management',
    role: 'owner',
    params: ofMember,
    body: ChangeMemberEmail,
    status: 204,
    errors: [
      ...MANAGER_ERRORS,
      ...INPUT_ERRORS,
      ...CONFIRMATION_ERRORS,
      'not_found',
      'no_account',
      'already_exists',
      'email_proof_required',
    ],
  },
  'DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/two-factor': {
    summary: 'Disable the second factor of a member who has lost it, which ends their sessions',
    description:
      'Only the instance owner can do this for members of other workspaces or the instance owner. Disable your own in your account. Requires a confirmed session or `ADMIN_TOKEN`.',
    tag: 'Accounts',
    caller: 'management',
    role: 'owner',
    params: ofMember,
    status: 204,
    errors: [...MANAGER_ERRORS, ...CONFIRMATION_ERRORS, 'not_found', 'no_account'],
  },
} as const satisfies Record<string, RouteSpec>
