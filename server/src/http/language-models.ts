import type { FindBot } from '../access/managers.ts'
import { type LanguageModelDeps, modelPresets, readLanguageModel } from '../bots/language-models.ts'
import type { TestModel } from '../conversations/language-models.ts'
import type { ModelCallLimits } from '../conversations/model-call-limits.ts'
import { type ModelUsageDeps, readModelUsage } from '../insights/model-usage.ts'
import type { Route } from './server/route.ts'

interface TestDeps extends LanguageModelDeps {
  findBot: FindBot
  testModel: TestModel
}

export function languageModelRoutes(route: Route, { findBot, testModel, ...deps }: TestDeps) {
  route('GET /api/manage/v1/language-model-presets', async () => ({ items: modelPresets }))

  route('POST /api/manage/v1/bots/{botId}/language-model/test', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    return testModel(bot, await readLanguageModel(deps, bot.id, body.language_model, bot.languageModel))
  })
}

interface UsageDeps extends ModelUsageDeps {
  callsToday: ModelCallLimits['today']
  findBot: FindBot
}

export function modelUsageRoutes(route: Route, deps: UsageDeps) {
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
