import type { BodyOf, Routes } from '@docent/contract'
import type { Audit } from '../access/audit.ts'
import type { ChatKeys } from '../access/keys.ts'
import type { Alert } from '../access/mails.ts'
import type { FindMember, FindWorkspace, Manager, ManagerCall } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import type { ManagementTokensTable } from '../storage/management-tokens.ts'
import type { MembersTable } from '../storage/members.ts'
import type { WorkspaceRecord, WorkspacesTable } from '../storage/workspaces.ts'

/** Dependencies shared by all operations on workspaces, members and tokens. */
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

export interface MemberIds {
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
