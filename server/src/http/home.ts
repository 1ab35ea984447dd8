import type { FindWorkspace } from '../access/managers.ts'
import { requireTimezone } from '../insights/analytics.ts'
import type { ReadHome } from '../insights/home.ts'
import type { Route } from './server/route.ts'

interface Deps {
  readHome: ReadHome
  findWorkspace: FindWorkspace
}

export function homeRoutes(route: Route, { readHome, findWorkspace }: Deps) {
  route('GET /api/manage/v1/workspaces/{workspaceId}/home', async ({ caller, params, query }) => {
    const { id } = await findWorkspace(caller, params.workspaceId)
    return readHome(id, requireTimezone(query.timezone))
  })
}
