import type { BodyOf, Routes } from '@docent/contract'
import type { ManagerCall } from '../access/managers.ts'
import type { WorkspaceRecord } from '../storage/workspaces.ts'
import type { WorkspaceDeps } from './workspace-deps.ts'

type Input = BodyOf<Routes['PATCH /api/manage/v1/workspaces/{workspaceId}']>

export async function updateWorkspace(
  { workspaces, findWorkspace, chatKeys, audit }: WorkspaceDeps,
  call: ManagerCall,
  workspaceId: string,
  input: Input,
): Promise<WorkspaceRecord> {
  const before = await findWorkspace(call.caller, workspaceId)
  const { id } = before
  await workspaces.update(id, {
    ...{ name: input.name?.trim(), plan: input.plan },
    ...{ dailyLimit: input.daily_limit, totalDailyLimit: input.total_daily_limit },
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
