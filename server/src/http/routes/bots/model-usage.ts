import type { FindBot } from '../../../access/managers.ts'
import type { ModelCallLimits } from '../../../conversations/model-call-limits.ts'
import { type ModelUsageDeps, readModelUsage } from '../../../insights/read-model-usage.ts'
import type { Route } from '../../route.ts'

interface Deps extends ModelUsageDeps {
  callsToday: ModelCallLimits['today']
  findBot: FindBot
}

export function modelUsageRoutes(route: Route, deps: Deps) {
  route('GET /api/manage/v1/bots/{botId}/model-usage', async ({ caller, params, query }) => {
    const bot = await deps.findBot(caller, params.botId)
    const usage = await readModelUsage(deps, bot.id, query.days)
    return { today: toToday(await deps.callsToday(bot)), ...usage }
  })
}

function toToday(today: Awaited<ReturnType<ModelCallLimits['today']>>) {
  return {
    calls: today.calls,
    limit: today.limit,
    workspace_calls: today.workspaceCalls,
    workspace_limit: today.workspaceLimit,
    limit_reached: today.isReached,
  }
}
