import type { Bot, LanguageModel } from '@docent/contract'
import { createBot, deleteBot, updateBot } from '../bots/bots.ts'
import { DEFAULT_CONTEXT_TOKENS } from '../bots/language-models.ts'
import type { Context } from '../context.ts'
import type { BotRecord, LanguageModelRecord } from '../storage/bots.ts'
import { INSTANCE_WORKSPACE_ID } from '../storage/workspaces.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { sortedPage } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function botRoutes(
  route: Route,
  { storage, outbound, clock }: Context,
  { access, search, languageModels }: Pick<Modules, 'access' | 'search' | 'languageModels'>,
) {
  const { bots } = storage
  const { findBot, audit, chatKeys, publicBots } = access
  const deps = {
    bots,
    findBot,
    audit,
    urlProblem: outbound.urlProblem,
    sealModelKey: languageModels.sealModelKey,
    onChanged: () => {
      chatKeys.forget()
      publicBots.forget()
      languageModels.wakeGenerator()
    },
    onRemoved: search.memory.releaseBot,
    instanceWorkspaceId: INSTANCE_WORKSPACE_ID,
    clock,
  }

  async function shape(bot: BotRecord): Promise<Bot> {
    return {
      ...toSettings(bot),
      knowledge: toKnowledge(await bots.countKnowledge(bot.id), await search.embedding(bot.id)),
    }
  }

  route('POST /api/manage/v1/bots', async ({ body, ...call }) => shape(await createBot(deps, call, body)))

  route('GET /api/manage/v1/bots', async ({ caller, query }) =>
    sortedPage(query, query.sort ?? 'id', sortedBy, (page) => bots.list(caller.workspaceId, page), shape),
  )

  route('GET /api/manage/v1/bots/{botId}', async ({ caller, params }) => shape(await findBot(caller, params.botId)))

  route('PATCH /api/manage/v1/bots/{botId}', async ({ params, body, ...call }) =>
    shape(await updateBot(deps, call, params.botId, body)),
  )

  route('DELETE /api/manage/v1/bots/{botId}', async ({ params, ...call }) => {
    await deleteBot(deps, call, params.botId)
    return undefined
  })
}

function toSettings(bot: BotRecord): Omit<Bot, 'knowledge'> {
  const { look, leadForm, handover, visitorEmail, identity, allowedOrigins } = bot.widget
  return {
    id: bot.id,
    workspace_id: bot.workspaceId,
    name: bot.name,
    language: bot.language,
    site_url: bot.siteUrl,
    currency: bot.currency,
    source_pages: bot.sourcePages,
    fallback_message: bot.fallbackMessage,
    translations: bot.translations,
    tone: bot.tone,
    answer_threshold: bot.answerThreshold,
    suggest_threshold: bot.suggestThreshold,
    language_model: bot.languageModel && toLanguageModel(bot.languageModel),
    widget: look,
    lead_form: leadForm,
    handover,
    visitor_email: visitorEmail,
    identity,
    allowed_origins: allowedOrigins,
    tested: bot.isTested === true,
    checklist_hidden: bot.isChecklistHidden === true,
    widget_seen: bot.widgetSeen ? { origin: bot.widgetSeen.origin, at: timestamp(bot.widgetSeen.at) } : null,
    retention_days: bot.retentionDays,
    created_at: timestamp(bot.createdAt),
  }
}

function toKnowledge(
  { documents, passages, products }: Pick<Bot['knowledge'], 'documents' | 'passages' | 'products'>,
  { embedded, complete }: { embedded: number; complete: boolean },
): Bot['knowledge'] {
  return { documents, passages, products, embedded_passages: embedded, status: complete ? 'ready' : 'indexing' }
}

function toLanguageModel(record: LanguageModelRecord): LanguageModel {
  return {
    provider: record.provider,
    base_url: record.baseUrl,
    api_key_set: record.apiKey !== null,
    api_key_last_four: record.apiKeyLastFour,
    model: record.model,
    temperature: record.temperature,
    max_output_tokens: record.maxOutputTokens,
    timeout_ms: record.timeoutMs,
    citations: record.citations,
    writes_answers: record.writesAnswers ?? true,
    context_tokens: record.contextTokens ?? DEFAULT_CONTEXT_TOKENS,
    instructions: record.instructions ?? null,
    daily_calls: record.dailyCalls ?? null,
    input_price_per_million: record.inputPricePerMillion,
    output_price_per_million: record.outputPricePerMillion,
  }
}

function sortedBy({ id, name, createdAt }: BotRecord, column: string): string | number {
  return { name, created_at: createdAt }[column] ?? id
}
