import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { type ManagerCall, requireConfirmed } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import { StorageError } from '../storage/database.ts'
import type { MemberRecord } from '../storage/members.ts'
import type { WorkspaceDeps } from './workspace-deps.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/workspaces/{workspaceId}/members']>

export async function addMember(
  { members, findWorkspace, audit, alert, clock }: WorkspaceDeps,
  call: ManagerCall,
  workspaceId: string,
  input: Input,
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
