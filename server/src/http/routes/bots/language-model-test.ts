import type { FindBot } from '../../../access/managers.ts'
import { type LanguageModelDeps, readLanguageModel } from '../../../bots/read-language-model.ts'
import type { TestModel } from '../../../conversations/language-models.ts'
import type { Route } from '../../route.ts'

interface Deps extends LanguageModelDeps {
  findBot: FindBot
  testModel: TestModel
}

export function languageModelTestRoutes(route: Route, { findBot, testModel, ...deps }: Deps) {
  route('POST /api/manage/v1/bots/{botId}/language-model/test', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    return testModel(bot, await readLanguageModel(deps, bot.id, body.language_model, bot.languageModel))
  })
}
