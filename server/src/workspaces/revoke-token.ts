import { Fault } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import type { MemberIds, WorkspaceDeps } from './workspace-deps.ts'

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
