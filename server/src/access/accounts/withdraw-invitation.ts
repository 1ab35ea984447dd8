import { Fault } from '@docent/contract'
import type { InvitationsTable } from '../../storage/links.ts'
import type { Audit } from '../audit.ts'
import type { FindWorkspace, ManagerCall } from '../managers.ts'

export interface WithdrawDeps {
  invitations: Pick<InvitationsTable, 'remove'>
  findWorkspace: FindWorkspace
  audit: Audit
}

export async function withdrawInvitation(
  { invitations, findWorkspace, audit }: WithdrawDeps,
  call: ManagerCall,
  ids: { workspaceId: string; invitationId: string },
): Promise<void> {
  const workspace = await findWorkspace(call.caller, ids.workspaceId)
  const email = await invitations.remove(workspace.id, ids.invitationId)
  if (email === undefined) throw new Fault('not_found')
  await audit.record(call, workspace.id, 'invitation.withdrawn', email)
}
