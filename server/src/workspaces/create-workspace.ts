import type { BodyOf, Routes } from '@docent/contract'
import type { ManagerCall } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import type { WorkspaceRecord } from '../storage/workspaces.ts'
import type { WorkspaceDeps } from './workspace-deps.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/workspaces']>

export async function createWorkspace(
  { workspaces, audit, clock }: WorkspaceDeps,
  call: ManagerCall,
  input: Input,
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
