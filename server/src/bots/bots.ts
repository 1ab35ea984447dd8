// Reads widget settings from a request.
import {
  type BodyOf,
  DEFAULT_RETENTION_DAYS,
  type ErrorDetail,
  Fault,
  type Routes,
  type Translation,
} from '@docent/contract'
import { type Audit, changeTitle, titleOf } from '../access/audit.ts'
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
    translations: readTranslations(input.translations) ?? [],
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

export async function updateBot(
  deps: BotDeps,
  call: ManagerCall,
  botId: string,
  input: BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}']>,
): Promise<BotRecord> {
  const { bots, findBot, onChanged, audit } = deps
  const { workspaceId, id, languageModel } = await findBot(call.caller, botId)
  const change = await bots.update(workspaceId, id, {
    name: input.name?.trim(),
    language: input.language,
    siteUrl: input.site_url,
    fallbackMessage: input.fallback_message,
    translations: readTranslations(input.translations),
    tone: input.tone,
    answerThreshold: input.answer_threshold,
    suggestThreshold: input.suggest_threshold,
    languageModel: await readLanguageModelChange(deps, id, input.language_model, languageModel),
    widget: readWidgetChange(input),
    currency: input.currency,
    sourcePages: input.source_pages,
    retentionDays: input.retention_days,
    isTested: input.tested,
    isChecklistHidden: input.checklist_hidden,
  })
  if (!change) throw new Fault('bot_not_found')
  onChanged()
  const { before, after } = change
  const target = changeTitle(titleOf(after), settingsOf(before), settingsOf(after))
  await audit.record(call, workspaceId, 'bot.changed', target)
  return after
}

/** As the API names them. */
function settingsOf(bot: BotRecord) {
  const { look, leadForm, handover, visitorEmail, identity, allowedOrigins } = bot.widget
  return {
    name: bot.name,
    language: bot.language,
    site_url: bot.siteUrl,
    fallback_message: bot.fallbackMessage,
    translations: bot.translations,
    tone: bot.tone,
    answer_threshold: bot.answerThreshold,
    suggest_threshold: bot.suggestThreshold,
    language_model: bot.languageModel && snakeCased(bot.languageModel),
    widget: look,
    lead_form: leadForm,
    handover,
    visitor_email: visitorEmail,
    identity,
    allowed_origins: allowedOrigins,
    currency: bot.currency,
    source_pages: bot.sourcePages,
    retention_days: bot.retentionDays,
    checklist_hidden: bot.isChecklistHidden,
    tested: bot.isTested,
  }
}

function snakeCased(record: object): object {
  const entries = Object.entries(record)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  )
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

const NO_TEXTS = {
  greeting: null,
  suggested_questions: [],
  fallback_message: null,
  buttons: [],
  handover_questions: [],
}

/** One per language; a language without any text of its own is left out. */
function readTranslations(input: NewBotInput['translations']): Translation[] | undefined {
  const languages = input?.map(({ language }) => language) ?? []
  const details = languages.flatMap((language, index) =>
    languages.indexOf(language) < index
      ? [{ path: `translations.${index}.language`, message: 'Use each language only once.' }]
      : [],
  )
  if (details.length > 0) throw new Fault('validation_failed', { details })
  return input
    ?.map((texts) => ({ ...NO_TEXTS, ...texts }))
    .filter(({ language: _, ...texts }) => Object.values(texts).some((text) => text !== null && text.length > 0))
}

type WidgetInput = Pick<
  BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}']>,
  'widget' | 'lead_form' | 'handover' | 'visitor_email' | 'identity' | 'allowed_origins'
>

/** The change to apply to the stored settings; absent fields stay. Undefined when the request has none. */
function readWidgetChange(input: WidgetInput): ((old: WidgetRecord) => WidgetRecord) | undefined {
  const { widget, lead_form: leadForm, handover, visitor_email: email, allowed_origins: origins, identity } = input
  if (!widget && leadForm === undefined && !handover && !email && !origins && !identity) return undefined
  checkWidgetInput(input)
  return (old) => ({
    look: { ...old.look, ...widget },
    leadForm: leadForm === undefined ? old.leadForm : leadForm,
    handover: { ...old.handover, ...handover },
    visitorEmail: { ...old.visitorEmail, ...email },
    identity: { ...old.identity, ...identity },
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
  for (const [index, { label, type, choices = [] }] of (handover?.questions ?? []).entries()) {
    const path = `handover.questions.${index}`
    if (handover?.questions?.findIndex((other) => other.label === label) !== index)
      details.push({ path: `${path}.label`, message: 'Use each label only once.' })
    if (type === 'choice' && choices.length < 2)
      details.push({ path: `${path}.choices`, message: 'A choice needs at least two choices.' })
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
