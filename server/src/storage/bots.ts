import {
  DEFAULT_RETENTION_DAYS,
  defaultHandover,
  defaultIdentity,
  defaultLeadForm,
  defaultVisitorEmail,
  defaultWidget,
  type HandoverSettings,
  type IdentitySettings,
  type LeadForm,
  type Translation,
  type VisitorEmail,
  type WidgetSettings,
} from '@docent/contract'
import { type Database, first, type Queries, type Statement, type Stored } from './database.ts'
import { type ListQuery, listOrdered } from './lists.ts'
import { assignments, queryMany } from './statements.ts'

/** Created at the first start: the bot of the demo shop, and the one that answers from the guides. */
export const DEMO_BOT_ID = 'bot_demo'
export const DOCS_BOT_ID = 'bot_docs'

type Tone = 'formal' | 'casual'

/** Connection and settings of a bot's language model. */
export interface LanguageModelRecord {
  provider: 'openai_compatible' | 'anthropic'
  /** Null: the provider's default. */
  baseUrl: string | null
  /** Sealed. */
  apiKey: string | null
  apiKeyLastFour: string | null
  model: string
  /** Null: the provider's default. */
  temperature: number | null
  maxOutputTokens: number
  timeoutMs: number
  citations: 'required' | 'optional'
  /** Absent: true. */
  writesAnswers?: boolean
  /** Persona and instructions from the company; absent: none. */
  instructions?: string | null
  /** For passages and products in a prompt; absent: the default. */
  contextTokens?: number
  /** Calls per day; absent or null: only the workspace's limit applies. */
  dailyCalls?: number | null
  inputPricePerMillion: number | null
  outputPricePerMillion: number | null
}

/** Appearance and behaviour of the widget. */
export interface WidgetRecord {
  look: WidgetSettings
  /** Null: visitors are not asked for contact details. */
  leadForm: LeadForm | null
  handover: HandoverSettings
  /** Empty: any site. */
  allowedOrigins: string[]
  visitorEmail: VisitorEmail
  /** What visitors must be verified for. */
  identity: IdentitySettings
}

export const defaultWidgetRecord: WidgetRecord = {
  look: defaultWidget,
  leadForm: defaultLeadForm,
  handover: defaultHandover,
  allowedOrigins: [],
  visitorEmail: defaultVisitorEmail,
  identity: defaultIdentity,
}

export interface BotRecord {
  workspaceId: string
  id: string
  name: string
  language: string
  siteUrl: string | null
  fallbackMessage: string | null
  /** Its own texts by language. */
  translations: Translation[]
  tone: Tone
  /** Null: the default. */
  answerThreshold: number | null
  suggestThreshold: number | null
  /** Null: answers are quoted from the content. */
  languageModel: LanguageModelRecord | null
  widget: WidgetRecord
  /** Of prices without one; null: unknown. */
  currency: string | null
  /** Whether sources without a public page get a reading page. */
  sourcePages: boolean
  /** Whether somebody has tried it out, and whether its checklist is hidden; absent: not. */
  isTested?: boolean
  isChecklistHidden?: boolean
  /** The site where the widget was last loaded. */
  widgetSeen?: { origin: string; at: number } | null
  /** Conversations older than this are deleted; 0: kept forever. */
  retentionDays: number
  knowledgeVersion: number
  curatedVersion: number
  /** 0: it never had an action. */
  actionsVersion: number
  /** Whether any webhook subscribes to its events. */
  reportsEvents: boolean
  productVersion: number
  /** The product version when the last sync ended. */
  productReadyVersion: number
  createdAt: number
}

type BotChange = {
  [Field in Exclude<(typeof CHANGEABLE)[number], 'widgetSettings'>]?: BotRecord[Field] | undefined
} & {
  /** Applied to the stored value. */
  widget?: ((old: WidgetRecord) => WidgetRecord) | undefined
}

const CHANGEABLE = [
  'name',
  'language',
  'siteUrl',
  'fallbackMessage',
  'translations',
  'tone',
  'answerThreshold',
  'suggestThreshold',
  'languageModel',
  'widgetSettings',
  'retentionDays',
  'sourcePages',
  'currency',
  'isTested',
  'isChecklistHidden',
] as const

interface BotRow extends Stored<Omit<BotRecord, 'widget' | 'widgetSeen'>> {
  widgetSettings: string | null
  widgetSeenAt: number | null
  widgetSeenOn: string | null
  hasConversations: number
}

const COLUMNS = `bots.*, CASE WHEN EXISTS (SELECT 1 FROM webhooks w WHERE w.bot_id = bots.id AND w.key_id IS NULL
  AND w.kind = 'webhook' AND w.disabled_at IS NULL) THEN 1 ELSE 0 END AS reports_events,
  CASE WHEN EXISTS (SELECT 1 FROM conversations c WHERE c.bot_id = bots.id) THEN 1 ELSE 0 END AS has_conversations`

export type BotsTable = ReturnType<typeof openBotsTable>

export function openBotsTable(database: Database) {
  return {
    async insert(bot: BotRecord) {
      await database.batch([insertion(bot)])
    },

    insertion,

    find: (workspaceId: string, id: string) => findIn(database, workspaceId, id),

    /** For the instance owner, who may reach any workspace. */
    async findWorkspaceId(id: string) {
      const row = await first(
        database.query<{ workspaceId: string }>('SELECT workspace_id FROM bots WHERE id = $1', [id]),
      )
      return row?.workspaceId
    },

    /** In any workspace: for workers, the widget and the instance owner. */
    async findById(id: string): Promise<BotRecord | undefined> {
      const row = await first(database.query<BotRow>(`SELECT ${COLUMNS} FROM bots WHERE id = $1`, [id]))
      return row && fromRow(row)
    },

    listIds: (workspaceId: string) => listBotIds(database, workspaceId),

    /** All bots of a workspace, by name. `openVersion` changes when people answer, dismiss or restore a question. */
    listNames: (workspaceId: string) =>
      database.query<{ id: string; name: string; language: string; openVersion: string }>(
        `SELECT b.id, b.name, b.language, b.curated_version || ' ' || (
           SELECT count(*) || ' ' || coalesce(max(d.dismissed_at), 0) FROM dismissed_questions d WHERE d.bot_id = b.id
         ) AS open_version FROM bots b WHERE b.workspace_id = $1 ORDER BY lower(b.name), b.id`,
        [workspaceId],
      ),

    /** Null: all workspaces. */
    async list(workspaceId: string | null, listQuery: ListQuery) {
      const source = {
        select: `SELECT ${COLUMNS} FROM bots`,
        where: workspaceId === null ? ['1 = 1'] : ['workspace_id = $1'],
        values: workspaceId === null ? [] : [workspaceId],
        searched: `lower(name || ' ' || coalesce(site_url, '') || ' ' || id)`,
        orders: { id: 'id', name: 'name', created_at: 'created_at' },
      }
      return (await listOrdered<BotRow>(database, source, listQuery)).map(fromRow)
    },

    /** Returns the bot as it was and as it is, with nobody else's change in between; undefined: there is none. */
    update: (
      workspaceId: string,
      id: string,
      { languageModel, widget, sourcePages, isTested, isChecklistHidden, translations, ...rest }: BotChange,
    ) =>
      database.transaction(async (tx) => {
        // Locks the row until the transaction ends.
        await tx.query('UPDATE bots SET name = name WHERE workspace_id = $1 AND id = $2', [workspaceId, id])
        const before = await findIn(tx, workspaceId, id)
        if (!before) return undefined
        const change = {
          ...rest,
          sourcePages: sourcePages === undefined ? undefined : Number(sourcePages),
          isTested: isTested === undefined ? undefined : Number(isTested),
          isChecklistHidden: isChecklistHidden === undefined ? undefined : Number(isChecklistHidden),
          languageModel: languageModel && JSON.stringify(languageModel),
          translations: translations && JSON.stringify(translations),
          widgetSettings: widget && JSON.stringify(widget(before.widget)),
        }
        const statement = assignments('bots', { workspaceId, id }, CHANGEABLE, change)
        if (statement) await tx.query(statement.sql, statement.values)
        // No model: stop writing questions. Another model: retry failed writing at once.
        if (languageModel !== undefined) {
          await tx.query(
            `UPDATE question_writing SET due_at = 0, failures = 0, enabled = CASE WHEN $3 = 1 THEN enabled ELSE 0 END
             WHERE bot_id IN (SELECT id FROM bots WHERE workspace_id = $1 AND id = $2)`,
            [workspaceId, id, languageModel ? 1 : 0],
          )
        }
        const after = await findIn(tx, workspaceId, id)
        return after && { before, after }
      }),

    /** Records where the widget was loaded. */
    async recordWidgetSeen(id: string, origin: string, now: number) {
      await database.writeRelaxed('UPDATE bots SET widget_seen_at = $2, widget_seen_on = $3 WHERE id = $1', [
        id,
        now,
        origin,
      ])
    },

    async remove(workspaceId: string, id: string) {
      await database.write('DELETE FROM bots WHERE workspace_id = $1 AND id = $2', [workspaceId, id])
    },

    countKnowledge: (botId: string) => countKnowledge(database, botId),
  }
}

/** Settings stored by an earlier version lack newer fields. */
function readWidget(json: string | null): WidgetRecord {
  if (json === null) return defaultWidgetRecord
  const settings = JSON.parse(json)
  const { look, handover, ...rest } = settings
  return {
    ...defaultWidgetRecord,
    ...rest,
    look: { ...defaultWidget, ...look },
    handover: { ...defaultHandover, ...handover },
  }
}

/** Within how many minutes visitors should get a person, by bot; none for bots without a target. */
export async function readResponseMinutes(database: Queries, botIds: string[]): Promise<Map<string, number>> {
  const rows = await queryMany<{ id: string; widgetSettings: string | null }>(
    database,
    'SELECT id, widget_settings FROM bots WHERE widget_settings IS NOT NULL AND id IN ({list})',
    [],
    botIds,
  )
  return new Map(
    rows.flatMap(({ id, widgetSettings }) => {
      const minutes = readWidget(widgetSettings).handover.response_minutes
      return minutes === null ? [] : [[id, minutes]]
    }),
  )
}

async function findIn(tx: Queries, workspaceId: string, id: string): Promise<BotRecord | undefined> {
  const row = await first(
    tx.query<BotRow>(`SELECT ${COLUMNS} FROM bots WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]),
  )
  return row && fromRow(row)
}

type EarlierTexts = 'language' | 'greeting' | 'suggested_questions' | 'fallback_message'

/** Those of earlier versions have no buttons and questions. */
function readTranslations(json: string | null): Translation[] {
  const translations: (Partial<Translation> & Pick<Translation, EarlierTexts>)[] = JSON.parse(json ?? '[]')
  return translations.map((texts) => ({ buttons: [], handover_questions: [], ...texts }))
}

function fromRow({ widgetSettings, widgetSeenAt, widgetSeenOn, hasConversations, ...row }: BotRow): BotRecord {
  return {
    ...row,
    languageModel: row.languageModel && JSON.parse(row.languageModel),
    widget: readWidget(widgetSettings),
    translations: readTranslations(row.translations),
    widgetSeen: widgetSeenAt !== null && widgetSeenOn !== null ? { origin: widgetSeenOn, at: widgetSeenAt } : null,
    sourcePages: row.sourcePages === 1,
    // Bots of earlier versions recorded no tests, but visitors have tried them out.
    isTested: row.isTested === 1 || hasConversations === 1,
    isChecklistHidden: row.isChecklistHidden === 1,
    reportsEvents: row.reportsEvents === 1,
  }
}

function insertion(bot: BotRecord): Statement {
  return {
    sql: `INSERT INTO bots (workspace_id, id, name, language, site_url, fallback_message, tone, answer_threshold,
            suggest_threshold, language_model, created_at, widget_settings, retention_days, source_pages,
            currency, translations)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      bot.workspaceId,
      bot.id,
      bot.name,
      bot.language,
      bot.siteUrl,
      bot.fallbackMessage,
      bot.tone,
      bot.answerThreshold,
      bot.suggestThreshold,
      bot.languageModel && JSON.stringify(bot.languageModel),
      bot.createdAt,
      bot.widget === defaultWidgetRecord ? null : JSON.stringify(bot.widget),
      bot.retentionDays,
      Number(bot.sourcePages),
      bot.currency,
      bot.translations.length > 0 ? JSON.stringify(bot.translations) : null,
    ],
  }
}

type NewBotInput = Pick<BotRecord, 'workspaceId' | 'id' | 'name' | 'createdAt'> & Partial<BotRecord>

/** Fields that are missing get their defaults. */
export function newBot(input: NewBotInput): BotRecord {
  return {
    language: 'en',
    siteUrl: null,
    fallbackMessage: null,
    translations: [],
    tone: 'formal',
    answerThreshold: null,
    suggestThreshold: null,
    languageModel: null,
    widget: defaultWidgetRecord,
    currency: null,
    sourcePages: true,
    retentionDays: DEFAULT_RETENTION_DAYS,
    knowledgeVersion: 0,
    curatedVersion: 0,
    actionsVersion: 0,
    reportsEvents: false,
    productVersion: 0,
    productReadyVersion: 0,
    ...input,
  }
}

async function countKnowledge(database: Queries, botId: string) {
  const counts = await first(
    database.query<{ documents: number; passages: number; products: number }>(
      `SELECT count(*) AS documents, coalesce(sum(passage_count), 0) AS passages,
         (SELECT count(*) FROM products WHERE bot_id = $1) AS products
       FROM documents WHERE bot_id = $1`,
      [botId],
    ),
  )
  return counts ?? { documents: 0, passages: 0, products: 0 }
}

export async function listBotIds(tx: Queries, workspaceId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>('SELECT id FROM bots WHERE workspace_id = $1 ORDER BY id', [workspaceId])
  return rows.map(({ id }) => id)
}
