import { type BodyOf, DEFAULT_RETENTION_DAYS, Fault, type Routes } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import { type BotRecord, defaultWidgetRecord, newBot } from '../storage/bots.ts'
import type { BotDeps } from './bot-deps.ts'
import { readLanguageModelChange } from './read-language-model.ts'
import { readWidgetChange } from './read-widget-change.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/bots']>

export async function createBot(deps: BotDeps, call: ManagerCall, input: Input): Promise<BotRecord> {
  const { bots, instanceWorkspaceId, audit, clock } = deps
  const ownWorkspaceId = call.caller.workspaceId ?? instanceWorkspaceId
  const workspaceId = input.workspace_id ?? ownWorkspaceId
  if (call.caller.kind === 'member' && workspaceId !== ownWorkspaceId) throw new Fault('not_found')
  const id = randomId('bot')
  const bot = newBot({
    workspaceId,
    id,
    name: input.name.trim(),
    language: input.language ?? 'en',
    siteUrl: input.site_url ?? null,
    fallbackMessage: input.fallback_message ?? null,
    tone: input.tone ?? 'formal',
    answerThreshold: input.answer_threshold ?? null,
    suggestThreshold: input.suggest_threshold ?? null,
    languageModel: (await readLanguageModelChange(deps, id, input.language_model, null)) ?? null,
    widget: readWidgetChange(input)?.(defaultWidgetRecord) ?? defaultWidgetRecord,
    sourcePages: input.source_pages ?? true,
    retentionDays: input.retention_days ?? DEFAULT_RETENTION_DAYS,
    createdAt: clock(),
  })
  await bots.insert(bot)
  await audit.record(call, workspaceId, 'bot.created', titleOf(bot))
  return bot
}
