import { Fault } from '@docent/contract'
import type { ManagerCall } from '../access/managers.ts'
import type { MemberIds, WorkspaceDeps } from './workspace-deps.ts'

export async function removeMember(
  { members, findMember, audit }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds,
): Promise<void> {
  const member = await findMember(call.caller, ids)
  if (!(await members.remove(member))) throw new Fault('last_owner')
  await audit.record(call, member.workspaceId, 'member.removed', member.email)
}
