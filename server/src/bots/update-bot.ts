import type { BodyOf, Routes } from '@docent/contract'
import { namedFields, titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { BotDeps } from './bot-deps.ts'
import { readLanguageModelChange } from './read-language-model.ts'
import { readWidgetChange } from './read-widget-change.ts'

const ROUTE = 'PATCH /api/manage/v1/bots/{botId}'

export async function updateBot(
  deps: BotDeps,
  call: ManagerCall,
  botId: string,
  input: BodyOf<Routes[typeof ROUTE]>,
): Promise<BotRecord> {
  const { bots, findBot, onChanged, audit } = deps
  const { workspaceId, id, languageModel } = await findBot(call.caller, botId)
  await bots.update(workspaceId, id, {
    name: input.name?.trim(),
    language: input.language,
    siteUrl: input.site_url,
    fallbackMessage: input.fallback_message,
    tone: input.tone,
    answerThreshold: input.answer_threshold,
    suggestThreshold: input.suggest_threshold,
    languageModel: await readLanguageModelChange(deps, id, input.language_model, languageModel),
    widget: readWidgetChange(input),
    sourcePages: input.source_pages,
    retentionDays: input.retention_days,
  })
  onChanged()
  const bot = await findBot(call.caller, botId)
  await audit.record(call, workspaceId, 'bot.changed', `${titleOf(bot)}: ${namedFields(ROUTE, input)}`)
  return bot
}
