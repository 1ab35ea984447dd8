import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { type ManagerCall, requireConfirmed } from '../access/managers.ts'
import type { MemberRecord } from '../storage/members.ts'
import { describeEnded } from './remove-member.ts'
import type { MemberIds, WorkspaceDeps } from './workspace-deps.ts'

type Input = BodyOf<Routes['PATCH /api/manage/v1/workspaces/{workspaceId}/members/{memberId}']>

export async function updateMember(
  { members, findMember, audit, alert }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds,
  input: Input,
): Promise<MemberRecord> {
  const member = await findMember(call.caller, ids)
  const isMadeOwner = input.role === 'owner' && member.role !== 'owner'
  if (isMadeOwner) requireConfirmed(call.caller)
  const ended = await members.update(member, { name: input.name?.trim(), role: input.role })
  if (!ended) throw new Fault('last_owner')
  const after = await findMember(call.caller, ids)
  const change = member.role === after.role ? '' : `: ${member.role} → ${after.role}`
  await audit.record(call, member.workspaceId, 'member.changed', member.email + change + describeEnded(ended))
  if (isMadeOwner) alert(call, 'owner_made', { target: member.email })
  return after
}
