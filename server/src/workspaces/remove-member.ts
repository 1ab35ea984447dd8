import { Fault } from '@docent/contract'
import type { ManagerCall } from '../access/managers.ts'
import type { EndedCredentials } from '../storage/members.ts'
import type { MemberIds, WorkspaceDeps } from './workspace-deps.ts'

export async function removeMember(
  { members, findMember, audit }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds,
): Promise<void> {
  const member = await findMember(call.caller, ids)
  const ended = await members.remove(member)
  if (!ended) throw new Fault('last_owner')
  await audit.record(call, member.workspaceId, 'member.removed', member.email + describeEnded(ended))
}

/** For the audit log: "; ended what they made: 1 token, 2 invitations". */
export function describeEnded({ tokens, invitations, resetLinks }: EndedCredentials): string {
  const counts = Object.entries({ token: tokens, invitation: invitations, 'reset link': resetLinks })
  const named = counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}${count > 1 ? 's' : ''}`)
  return named.length > 0 ? `; ended what they made: ${named.join(', ')}` : ''
}
