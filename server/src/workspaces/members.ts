import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { type ManagerCall, requireConfirmed } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import { StorageError } from '../storage/database.ts'
import type { EndedCredentials, MemberRecord } from '../storage/members.ts'
import type { MemberIds, WorkspaceDeps } from './workspaces.ts'

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
