// Workspaces, their members, and the members' management tokens.
import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { type Audit, titleOf } from '../access/audit.ts'
import type { ChatKeys } from '../access/keys.ts'
import type { Alert } from '../access/mails.ts'
import {
  type FindMember,
  type FindWorkspace,
  type Manager,
  type ManagerCall,
  requireConfirmed,
} from '../access/managers.ts'
import { makeSecret, parseExpiry } from '../access/secrets.ts'
import { randomId } from '../ids.ts'
import { StorageError } from '../storage/database.ts'
import type { ManagementTokensTable, TokenRecord } from '../storage/management-tokens.ts'
import type { EndedCredentials, MemberRecord, MembersTable } from '../storage/members.ts'
import type { WorkspaceRecord, WorkspacesTable } from '../storage/workspaces.ts'

export interface WorkspaceDeps {
  workspaces: WorkspacesTable
  members: MembersTable
  managementTokens: ManagementTokensTable
  findWorkspace: FindWorkspace
  findMember: FindMember
  audit: Audit
  alert: Alert
  chatKeys: ChatKeys
  clock: () => number
}

interface MemberIds {
  workspaceId: string
  memberId: string
}

type NewWorkspaceInput = BodyOf<Routes['POST /api/manage/v1/workspaces']>

export async function createWorkspace(
  { workspaces, audit, clock }: WorkspaceDeps,
  call: ManagerCall,
  input: NewWorkspaceInput,
): Promise<WorkspaceRecord> {
  const workspace: WorkspaceRecord = {
    id: randomId('ws'),
    name: input.name.trim(),
    plan: input.plan ?? 'free',
    dailyLimit: input.daily_limit ?? null,
    totalDailyLimit: input.total_daily_limit ?? null,
    createdAt: clock(),
  }
  await workspaces.insert(workspace)
  await audit.record(call, workspace.id, 'workspace.created', workspace.name)
  return workspace
}

/** Members see their own, the instance owner all. */
export async function listWorkspaces(
  { workspaces, findWorkspace }: WorkspaceDeps,
  manager: Manager,
  after: string,
  limit: number,
): Promise<WorkspaceRecord[]> {
  if (manager.kind !== 'member') return workspaces.list(after, limit)
  const ownWorkspace = await findWorkspace(manager, manager.workspaceId)
  return ownWorkspace.id > after ? [ownWorkspace] : []
}

type WorkspaceChange = BodyOf<Routes['PATCH /api/manage/v1/workspaces/{workspaceId}']>

export async function updateWorkspace(
  { workspaces, findWorkspace, chatKeys, audit }: WorkspaceDeps,
  call: ManagerCall,
  workspaceId: string,
  input: WorkspaceChange,
): Promise<WorkspaceRecord> {
  const before = await findWorkspace(call.caller, workspaceId)
  const { id } = before
  await workspaces.update(id, {
    name: input.name?.trim(),
    plan: input.plan,
    dailyLimit: input.daily_limit,
    totalDailyLimit: input.total_daily_limit,
  })
  chatKeys.forget()
  const after = await findWorkspace(call.caller, id)
  await audit.record(call, id, 'workspace.changed', changesOf(before, after))
  return after
}

/** "plan: free → business". */
function changesOf(before: WorkspaceRecord, after: WorkspaceRecord): string {
  const names = {
    name: 'name',
    plan: 'plan',
    dailyLimit: 'daily limit',
    totalDailyLimit: 'daily limit of all keys',
  } as const
  return (Object.keys(names) as (keyof typeof names)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => `${names[field]}: ${before[field] ?? 'default'} → ${after[field] ?? 'default'}`)
    .join(', ')
}

type NewMemberInput = BodyOf<Routes['POST /api/manage/v1/workspaces/{workspaceId}/members']>

export async function addMember(
  { members, findWorkspace, audit, alert, clock }: WorkspaceDeps,
  call: ManagerCall,
  workspaceId: string,
  input: NewMemberInput,
): Promise<MemberRecord> {
  const workspace = await findWorkspace(call.caller, workspaceId)
  if (input.role === 'owner') requireConfirmed(call.caller)
  const member: MemberRecord = {
    workspaceId: workspace.id,
    id: randomId('mem'),
    email: input.email.toLowerCase(),
    name: input.name.trim(),
    role: input.role,
    createdAt: clock(),
    accountId: null,
    twoFactor: false,
  }
  await members.insert(member).catch((error: unknown) => {
    throw error instanceof StorageError && error.kind === 'unique' ? new Fault('already_exists') : error
  })
  await audit.record(call, workspace.id, 'member.added', `${member.email} (${member.role})`)
  if (member.role === 'owner') alert(call, 'owner_made', { target: member.email })
  return member
}

type MemberChange = BodyOf<Routes['PATCH /api/manage/v1/workspaces/{workspaceId}/members/{memberId}']>

export async function updateMember(
  { members, findMember, audit, alert }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds,
  input: MemberChange,
): Promise<MemberRecord> {
  const member = await findMember(call.caller, ids)
  const isMadeOwner = input.role === 'owner' && member.role !== 'owner'
  if (isMadeOwner) requireConfirmed(call.caller)
  const endedCredentials = await members.update(member, { name: input.name?.trim(), role: input.role })
  if (!endedCredentials) throw new Fault('last_owner')
  const after = await findMember(call.caller, ids)
  const change = member.role === after.role ? '' : `: ${member.role} → ${after.role}`
  await audit.record(
    call,
    member.workspaceId,
    'member.changed',
    member.email + change + describeEnded(endedCredentials),
  )
  if (isMadeOwner) alert(call, 'owner_made', { target: member.email })
  return after
}

export async function removeMember(
  { members, findMember, audit }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds,
): Promise<void> {
  const member = await findMember(call.caller, ids)
  const endedCredentials = await members.remove(member)
  if (!endedCredentials) throw new Fault('last_owner')
  await audit.record(call, member.workspaceId, 'member.removed', member.email + describeEnded(endedCredentials))
}

/** For the audit log: "; ended what they made: 1 token, 2 invitations". */
function describeEnded({ tokens, invitations, resetLinks }: EndedCredentials): string {
  const counts = Object.entries({ token: tokens, invitation: invitations, 'reset link': resetLinks })
  const endings = counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}${count > 1 ? 's' : ''}`)
  return endings.length > 0 ? `; ended what they made: ${endings.join(', ')}` : ''
}

type NewTokenInput = BodyOf<Routes['POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens']>

/** Returns the secret, only this once. */
export async function createToken(
  { managementTokens, findMember, audit, alert, clock }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds,
  input: NewTokenInput,
) {
  const { caller } = call
  const member = await findMember(caller, ids)
  requireConfirmed(caller)
  // A token in somebody else's name would outlive the rights of whoever made it.
  if (caller.accountId !== undefined && caller.accountId !== member.accountId)
    throw new Fault('role_required', { message: 'People create management tokens only for themselves.' })
  const { secret, hash, lastFour } = makeSecret('manage')
  const token: TokenRecord = {
    workspaceId: member.workspaceId,
    memberId: member.id,
    id: randomId('tok'),
    name: input.name.trim(),
    hash,
    lastFour,
    createdBy: caller.maker,
    createdAt: clock(),
    expiresAt: parseExpiry(input.expires_at, clock()) ?? null,
  }
  await managementTokens.insert(token)
  const target = `${token.name} of ${member.email}`
  await audit.record(call, member.workspaceId, 'token.created', `${titleOf(token)} of ${member.email}`)
  alert(call, 'token_created', { account: member.accountId === null ? null : member.email, target })
  return { token, secret }
}

export async function revokeToken(
  { managementTokens, findMember, audit }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds & { tokenId: string },
): Promise<void> {
  const member = await findMember(call.caller, ids)
  const token = await managementTokens.remove(member.workspaceId, member.id, ids.tokenId)
  if (!token) throw new Fault('not_found')
  await audit.record(call, member.workspaceId, 'token.revoked', `${titleOf(token)} of ${member.email}`)
}
