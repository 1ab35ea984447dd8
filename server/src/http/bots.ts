import { type Bot, DEFAULT_RETENTION_DAYS, Fault } from '@docent/contract'
import type { Audit } from '../access/audit.ts'
import type { FindBot } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import { type BotRecord, type BotsTable, defaultWidgetRecord } from '../storage/bots.ts'
import { namedFields } from './audit.ts'
import { readWidget, toWidgetSettings } from './bot-widgets.ts'
import { type ReadLanguageModel, toLanguageModel } from './language-models.ts'
import { page } from './paging.ts'
import type { Route } from './route.ts'
import { timestamp } from './times.ts'

interface Deps {
  bots: BotsTable
  findBot: FindBot
  /** Forgets what is remembered of bots. */
  onChanged: () => void
  onRemoved: (botId: string) => void
  /** How far the vectors of a bot's passages have come. */
  embedding: (botId: string) => Promise<{ embedded: number; complete: boolean }>
  readLanguageModel: ReadLanguageModel
  instanceWorkspaceId: string
  audit: Audit
  clock: () => number
}

export function botRoutes(route: Route, deps: Deps) {
  const { bots, findBot, onChanged, onRemoved, embedding, readLanguageModel, instanceWorkspaceId, audit, clock } = deps

  async function toBot(bot: BotRecord): Promise<Bot> {
    const { documents, passages, products } = await bots.countKnowledge(bot.id)
    const { embedded, complete } = await embedding(bot.id)
    return {
      id: bot.id,
      workspace_id: bot.workspaceId,
      name: bot.name,
      language: bot.language,
      site_url: bot.siteUrl,
      fallback_message: bot.fallbackMessage,
      tone: bot.tone,
      answer_threshold: bot.answerThreshold,
      suggest_threshold: bot.suggestThreshold,
      language_model: toLanguageModel(bot.languageModel),
      ...toWidgetSettings(bot),
      created_at: timestamp(bot.createdAt),
      knowledge: {
        documents,
        passages,
        products,
        embedded_passages: embedded,
        status: complete ? 'ready' : 'indexing',
      },
    }
  }

  route('POST /api/manage/v1/bots', async ({ caller, body, request }) => {
    const ownWorkspaceId = caller.workspaceId ?? instanceWorkspaceId
    const workspaceId = body.workspace_id ?? ownWorkspaceId
    if (caller.kind === 'member' && workspaceId !== ownWorkspaceId) throw new Fault('not_found')
    const id = randomId('bot')
    const bot: BotRecord = {
      workspaceId,
      id,
      name: body.name.trim(),
      language: body.language ?? 'en',
      siteUrl: body.site_url ?? null,
      fallbackMessage: body.fallback_message ?? null,
      tone: body.tone ?? 'formal',
      answerThreshold: body.answer_threshold ?? null,
      suggestThreshold: body.suggest_threshold ?? null,
      languageModel: (await readLanguageModel(id, body.language_model, null)) ?? null,
      widget: readWidget(body)?.(defaultWidgetRecord) ?? defaultWidgetRecord,
      retentionDays: body.retention_days ?? DEFAULT_RETENTION_DAYS,
      knowledgeVersion: 0,
      curatedVersion: 0,
      reportsEvents: false,
      productVersion: 0,
      productReadyVersion: 0,
      createdAt: clock(),
    }
    await bots.insert(bot)
    await audit.did({ caller, request }, workspaceId, 'bot.created', titled(bot))
    return toBot(bot)
  })

  route('GET /api/manage/v1/bots', async ({ caller, query }) => {
    return page(query, (after, limit) => bots.list(caller.workspaceId, after, limit), toBot)
  })

  route('GET /api/manage/v1/bots/{botId}', async ({ caller, params }) => toBot(await findBot(caller, params.botId)))

  route('PATCH /api/manage/v1/bots/{botId}', async ({ caller, params, body, request }) => {
    const { workspaceId, id, languageModel } = await findBot(caller, params.botId)
    await bots.update(workspaceId, id, {
      name: body.name?.trim(),
      language: body.language,
      siteUrl: body.site_url,
      fallbackMessage: body.fallback_message,
      tone: body.tone,
      answerThreshold: body.answer_threshold,
      suggestThreshold: body.suggest_threshold,
      languageModel: await readLanguageModel(id, body.language_model, languageModel),
      widget: readWidget(body),
      retentionDays: body.retention_days,
    })
    onChanged()
    const bot = await findBot(caller, params.botId)
    const fields = namedFields('PATCH /api/manage/v1/bots/{botId}', body)
    await audit.did({ caller, request }, workspaceId, 'bot.changed', `${titled(bot)}: ${fields}`)
    return toBot(bot)
  })

  route('DELETE /api/manage/v1/bots/{botId}', async ({ caller, params, request }) => {
    const bot = await findBot(caller, params.botId)
    await bots.remove(bot.workspaceId, bot.id)
    onChanged()
    onRemoved(bot.id)
    await audit.did({ caller, request }, bot.workspaceId, 'bot.deleted', titled(bot))
    return undefined
  })
}

function titled({ id, name }: BotRecord): string {
  return `${name} (${id})`
}
