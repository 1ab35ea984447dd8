// Reads widget settings from a request.
import { type BodyOf, DEFAULT_RETENTION_DAYS, type ErrorDetail, Fault, type Routes } from '@docent/contract'
import { type Audit, namedFields, titleOf } from '../access/audit.ts'
import type { FindBot, ManagerCall } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import { isTimezone } from '../local-time.ts'
import { type BotRecord, type BotsTable, defaultWidgetRecord, newBot, type WidgetRecord } from '../storage/bots.ts'
import { type LanguageModelDeps, readLanguageModelChange } from './language-models.ts'

/** Dependencies shared by all bot operations. */
export interface BotDeps extends LanguageModelDeps {
  bots: BotsTable
  findBot: FindBot
  /** Clears cached bots. */
  onChanged: () => void
  onRemoved: (botId: string) => void
  instanceWorkspaceId: string
  audit: Audit
  clock: () => number
}

type NewBotInput = BodyOf<Routes['POST /api/manage/v1/bots']>

export async function createBot(deps: BotDeps, call: ManagerCall, input: NewBotInput): Promise<BotRecord> {
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
    currency: input.currency ?? null,
    sourcePages: input.source_pages ?? true,
    retentionDays: input.retention_days ?? DEFAULT_RETENTION_DAYS,
    createdAt: clock(),
  })
  await bots.insert(bot)
  await audit.record(call, workspaceId, 'bot.created', titleOf(bot))
  return bot
}

const UPDATE = 'PATCH /api/manage/v1/bots/{botId}'

export async function updateBot(
  deps: BotDeps,
  call: ManagerCall,
  botId: string,
  input: BodyOf<Routes[typeof UPDATE]>,
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
    currency: input.currency,
    sourcePages: input.source_pages,
    retentionDays: input.retention_days,
  })
  onChanged()
  const bot = await findBot(call.caller, botId)
  await audit.record(call, workspaceId, 'bot.changed', `${titleOf(bot)}: ${namedFields(UPDATE, input)}`)
  return bot
}

export async function deleteBot(
  { bots, findBot, onChanged, onRemoved, audit }: BotDeps,
  call: ManagerCall,
  botId: string,
): Promise<void> {
  const bot = await findBot(call.caller, botId)
  await bots.remove(bot.workspaceId, bot.id)
  onChanged()
  onRemoved(bot.id)
  await audit.record(call, bot.workspaceId, 'bot.deleted', titleOf(bot))
}

type WidgetInput = Pick<
  BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}']>,
  'widget' | 'lead_form' | 'handover' | 'visitor_email' | 'allowed_origins'
>

/** The change to apply to the stored settings; absent fields stay. Undefined when the request has none. */
function readWidgetChange(input: WidgetInput): ((old: WidgetRecord) => WidgetRecord) | undefined {
  const { widget, lead_form: leadForm, handover, visitor_email: email, allowed_origins: origins } = input
  if (!widget && leadForm === undefined && !handover && !email && !origins) return undefined
  checkWidgetInput(input)
  return (old) => ({
    look: { ...old.look, ...widget },
    leadForm: leadForm === undefined ? old.leadForm : leadForm,
    handover: { ...old.handover, ...handover },
    visitorEmail: { ...old.visitorEmail, ...email },
    allowedOrigins: origins ? [...new Set(origins.map((origin) => new URL(origin).origin))] : old.allowedOrigins,
  })
}

/** Checks beyond the schema. */
function checkWidgetInput({ lead_form: leadForm, handover, allowed_origins: origins = [] }: WidgetInput) {
  const details: ErrorDetail[] = []
  const timezone = handover?.hours?.timezone
  if (timezone !== undefined && !isTimezone(timezone)) {
    details.push({ path: 'handover.hours.timezone', message: 'Enter a time zone, such as Europe/Vienna.' })
  }
  const names = leadForm?.fields.map(({ name }) => name) ?? []
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index)
      details.push({ path: `lead_form.fields.${index}.name`, message: 'Use each name only once.' })
  }
  for (const [index, origin] of origins.entries()) {
    if (!URL.canParse(origin))
      details.push({ path: `allowed_origins.${index}`, message: 'Enter a site, such as https://shop.example.' })
  }
  if (details.length > 0) throw new Fault('validation_failed', { details })
}
