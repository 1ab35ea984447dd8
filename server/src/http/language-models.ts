import { modelPresets, readLanguageModel } from '../bots/language-models.ts'
import type { Context } from '../context.ts'
import type { ModelCallLimits } from '../conversations/model-call-limits.ts'
import { readModelUsage } from '../insights/model-usage.ts'
import type { Modules } from './modules.ts'
import type { Route } from './server/route.ts'

export function languageModelRoutes(
  route: Route,
  { storage, outbound, clock }: Context,
  { access, languageModels }: Pick<Modules, 'access' | 'languageModels'>,
) {
  const { modelUsageDays } = storage
  const { findBot } = access
  const { testModel, sealModelKey, callsToday } = languageModels
  const { urlProblem } = outbound

  route('GET /api/manage/v1/language-model-presets', async () => ({ items: modelPresets }))

  route('POST /api/manage/v1/bots/{botId}/language-model/test', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    return testModel(
      bot,
      await readLanguageModel({ urlProblem, sealModelKey }, bot.id, body.language_model, bot.languageModel),
    )
  })

  route('GET /api/manage/v1/bots/{botId}/model-usage', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const usage = await readModelUsage({ modelUsageDays, clock }, bot.id, query.days)
    return { today: toToday(await callsToday(bot)), ...usage }
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
