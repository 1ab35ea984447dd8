import {
  DEFAULT_RETENTION_DAYS,
  defaultHandover,
  defaultLeadForm,
  defaultVisitorEmail,
  defaultWidget,
  type HandoverSettings,
  type LeadForm,
  type VisitorEmail,
  type WidgetSettings,
} from '@docent/contract'
import { type Database, first, type Queries, type Row, type Statement } from './database.ts'
import { type ListQuery, listOrdered } from './lists.ts'
import { assignments } from './statements.ts'

export type Tone = 'formal' | 'casual'

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
}

export const defaultWidgetRecord: WidgetRecord = {
  look: defaultWidget,
  leadForm: defaultLeadForm,
  handover: defaultHandover,
  allowedOrigins: [],
  visitorEmail: defaultVisitorEmail,
}

export interface BotRecord {
  workspaceId: string
  id: string
  name: string
  language: string
  siteUrl: string | null
  fallbackMessage: string | null
  tone: Tone
  /** Null: the default. */
  answerThreshold: number | null
  suggestThreshold: number | null
  /** Null: answers are quoted from the content. */
  languageModel: LanguageModelRecord | null
  widget: WidgetRecord
  /** Whether sources without a public page get a reading page. */
  sourcePages: boolean
  /** The site where the widget was last loaded. */
  widgetSeen?: { origin: string; at: number } | null
  /** Conversations older than this are deleted; 0: kept forever. */
  retentionDays: number
  knowledgeVersion: number
  curatedVersion: number
  /** Whether any webhook subscribes to its events. */
  reportsEvents: boolean
  productVersion: number
  /** The product version when the last sync ended. */
  productReadyVersion: number
  createdAt: number
}

export type BotChange = {
  [Field in Exclude<keyof typeof changeColumns, 'widget' | 'sourcePages'>]?: BotRecord[Field] | undefined
} & {
  sourcePages?: boolean | undefined
  /** Applied to the stored value. */
  widget?: ((old: WidgetRecord) => WidgetRecord) | undefined
}

const changeColumns = {
  name: 'name',
  language: 'language',
  siteUrl: 'site_url',
  fallbackMessage: 'fallback_message',
  tone: 'tone',
  answerThreshold: 'answer_threshold',
  suggestThreshold: 'suggest_threshold',
  languageModel: 'language_model',
  widget: 'widget_settings',
  retentionDays: 'retention_days',
  sourcePages: 'source_pages',
} as const

interface BotRow extends Row {
  workspace_id: string
  id: string
  name: string
  language: string
  site_url: string | null
  fallback_message: string | null
  tone: Tone
  answer_threshold: number | null
  suggest_threshold: number | null
  language_model: string | null
  widget_settings: string | null
  retention_days: number
  source_pages: number
  widget_seen_at: number | null
  widget_seen_on: string | null
  knowledge_version: number
  curated_version: number
  reports_events: number
  product_version: number
  product_ready_version: number
  created_at: number
}

const columns = `bots.*, CASE WHEN EXISTS (SELECT 1 FROM webhooks w WHERE w.bot_id = bots.id AND w.key_id IS NULL
  AND w.kind = 'webhook' AND w.disabled_at IS NULL) THEN 1 ELSE 0 END AS reports_events`

export type BotsTable = ReturnType<typeof openBotsTable>

export function openBotsTable(database: Database) {
  return {
    async insert(bot: BotRecord) {
      await database.batch([insertion(bot)])
    },

    insertion,

    async find(workspaceId: string, id: string) {
      const row = await first(
        database.query<BotRow>(`SELECT ${columns} FROM bots WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]),
      )
      return row && fromRow(row)
    },

    /** For the instance owner, who may reach any workspace. */
    async findWorkspaceId(id: string) {
      const row = await first(
        database.query<{ workspace_id: string }>('SELECT workspace_id FROM bots WHERE id = $1', [id]),
      )
      return row?.workspace_id
    },

    async listIds(workspaceId: string): Promise<string[]> {
      const rows = await database.query<{ id: string }>('SELECT id FROM bots WHERE workspace_id = $1 ORDER BY id', [
        workspaceId,
      ])
      return rows.map(({ id }) => id)
    },

    /** Null: all workspaces. */
    async list(workspaceId: string | null, listQuery: ListQuery) {
      const source = {
        select: `SELECT ${columns} FROM bots`,
        where: workspaceId === null ? ['1 = 1'] : ['workspace_id = $1'],
        values: workspaceId === null ? [] : [workspaceId],
        searched: `lower(name || ' ' || coalesce(site_url, '') || ' ' || id)`,
        orders: { id: 'id', name: 'name', created_at: 'created_at' },
      }
      return (await listOrdered<BotRow>(database, source, listQuery)).map(fromRow)
    },

    update: (workspaceId: string, id: string, { languageModel, widget, sourcePages, ...rest }: BotChange) =>
      database.transaction(async (tx) => {
        const change = {
          ...rest,
          sourcePages: sourcePages === undefined ? undefined : Number(sourcePages),
          languageModel: languageModel && JSON.stringify(languageModel),
          widget: widget && JSON.stringify(widget(await readStoredWidget(tx, workspaceId, id))),
        }
        const statement = assignments('bots', { workspace_id: workspaceId, id }, changeColumns, change)
        if (statement) await tx.query(statement.sql, statement.values)
        // No model: stop writing questions. Another model: retry failed writing at once.
        if (languageModel !== undefined) {
          await tx.query(
            `UPDATE question_writing SET due_at = 0, failures = 0, enabled = CASE WHEN $3 = 1 THEN enabled ELSE 0 END
             WHERE bot_id IN (SELECT id FROM bots WHERE workspace_id = $1 AND id = $2)`,
            [workspaceId, id, languageModel ? 1 : 0],
          )
        }
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
function readWidget(stored: string | null): WidgetRecord {
  if (stored === null) return defaultWidgetRecord
  const held = JSON.parse(stored)
  return { ...defaultWidgetRecord, ...held, look: { ...defaultWidget, ...held.look } }
}

/** Locks the row until the transaction ends. */
async function readStoredWidget(tx: Queries, workspaceId: string, id: string): Promise<WidgetRecord> {
  const [row] = await tx.query<{ widget_settings: string | null }>(
    'UPDATE bots SET widget_settings = widget_settings WHERE workspace_id = $1 AND id = $2 RETURNING widget_settings',
    [workspaceId, id],
  )
  return readWidget(row?.widget_settings ?? null)
}

function fromRow(row: BotRow): BotRecord {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    name: row.name,
    language: row.language,
    siteUrl: row.site_url,
    fallbackMessage: row.fallback_message,
    tone: row.tone,
    answerThreshold: row.answer_threshold,
    suggestThreshold: row.suggest_threshold,
    languageModel: row.language_model === null ? null : JSON.parse(row.language_model),
    widget: readWidget(row.widget_settings),
    retentionDays: row.retention_days,
    sourcePages: row.source_pages === 1,
    widgetSeen:
      row.widget_seen_at !== null && row.widget_seen_on !== null
        ? { origin: row.widget_seen_on, at: row.widget_seen_at }
        : null,
    knowledgeVersion: row.knowledge_version,
    curatedVersion: row.curated_version,
    reportsEvents: row.reports_events === 1,
    productVersion: row.product_version,
    productReadyVersion: row.product_ready_version,
    createdAt: row.created_at,
  }
}

function insertion(bot: BotRecord): Statement {
  return {
    sql: `INSERT INTO bots (workspace_id, id, name, language, site_url, fallback_message, tone, answer_threshold,
            suggest_threshold, language_model, created_at, widget_settings, retention_days, source_pages)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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
    ],
  }
}

type NewBotInput = Pick<BotRecord, 'workspaceId' | 'id' | 'name' | 'createdAt'> & Partial<BotRecord>

/** What is not given is as nobody has changed it yet. */
export function newBot(given: NewBotInput): BotRecord {
  return {
    language: 'en',
    siteUrl: null,
    fallbackMessage: null,
    tone: 'formal',
    answerThreshold: null,
    suggestThreshold: null,
    languageModel: null,
    widget: defaultWidgetRecord,
    sourcePages: true,
    retentionDays: DEFAULT_RETENTION_DAYS,
    knowledgeVersion: 0,
    curatedVersion: 0,
    reportsEvents: false,
    productVersion: 0,
    productReadyVersion: 0,
    ...given,
  }
}

export async function countKnowledge(database: Queries, botId: string) {
  const row = await first(
    database.query<{ documents: number; passages: number; products: number }>(
      `SELECT count(*) AS documents, coalesce(sum(passage_count), 0) AS passages,
         (SELECT count(*) FROM products WHERE bot_id = $1) AS products
       FROM documents WHERE bot_id = $1`,
      [botId],
    ),
  )
  return {
    documents: Number(row?.documents ?? 0),
    passages: Number(row?.passages ?? 0),
    products: Number(row?.products ?? 0),
  }
}
