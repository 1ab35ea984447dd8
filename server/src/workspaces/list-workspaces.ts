import type { Manager } from '../access/managers.ts'
import type { WorkspaceRecord } from '../storage/workspaces.ts'
import type { WorkspaceDeps } from './workspace-deps.ts'

/** Members see their own, the instance owner all. */
export async function listWorkspaces(
  { workspaces, findWorkspace }: WorkspaceDeps,
  manager: Manager,
  after: string,
  limit: number,
): Promise<WorkspaceRecord[]> {
  if (manager.kind !== 'member') return workspaces.list(after, limit)
  const own = await findWorkspace(manager, manager.workspaceId)
  return own.id > after ? [own] : []
}
