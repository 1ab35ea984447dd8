import { Fault } from '@docent/contract'
import type { ManagerCall } from '../access/managers.ts'
import type { MemberIds, WorkspaceDeps } from './workspace-deps.ts'

export async function revokeToken(
  { managementTokens, findMember, audit }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds & { tokenId: string },
): Promise<void> {
  const member = await findMember(call.caller, ids)
  if (!(await managementTokens.remove(member.workspaceId, member.id, ids.tokenId))) throw new Fault('not_found')
  await audit.record(call, member.workspaceId, 'token.revoked', `${ids.tokenId} of ${member.email}`)
}
