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
import { type Database, first, type Queries, type Statement, type Stored } from './database.ts'
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
  /** Of prices without one; null: unknown. */
  currency: string | null
  /** Whether sources without a public page get a reading page. */
  sourcePages: boolean
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

export type BotChange = {
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
  'tone',
  'answerThreshold',
  'suggestThreshold',
  'languageModel',
  'widgetSettings',
  'retentionDays',
  'sourcePages',
  'currency',
] as const

interface BotRow extends Stored<Omit<BotRecord, 'widget' | 'widgetSeen'>> {
  widgetSettings: string | null
  widgetSeenAt: number | null
  widgetSeenOn: string | null
}

const COLUMNS = `bots.*, CASE WHEN EXISTS (SELECT 1 FROM webhooks w WHERE w.bot_id = bots.id AND w.key_id IS NULL
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
        database.query<BotRow>(`SELECT ${COLUMNS} FROM bots WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]),
      )
      return row && fromRow(row)
    },

    /** For the instance owner, who may reach any workspace. */
    async findWorkspaceId(id: string) {
      const row = await first(
        database.query<{ workspaceId: string }>('SELECT workspace_id FROM bots WHERE id = $1', [id]),
      )
      return row?.workspaceId
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
        select: `SELECT ${COLUMNS} FROM bots`,
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
          widgetSettings: widget && JSON.stringify(widget(await readStoredWidget(tx, workspaceId, id))),
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
  const settings = JSON.parse(stored)
  return { ...defaultWidgetRecord, ...settings, look: { ...defaultWidget, ...settings.look } }
}

/** Locks the row until the transaction ends. */
async function readStoredWidget(tx: Queries, workspaceId: string, id: string): Promise<WidgetRecord> {
  const [row] = await tx.query<{ widgetSettings: string | null }>(
    'UPDATE bots SET widget_settings = widget_settings WHERE workspace_id = $1 AND id = $2 RETURNING widget_settings',
    [workspaceId, id],
  )
  return readWidget(row?.widgetSettings ?? null)
}

function fromRow({ widgetSettings, widgetSeenAt, widgetSeenOn, ...row }: BotRow): BotRecord {
  return {
    ...row,
    languageModel: row.languageModel && JSON.parse(row.languageModel),
    widget: readWidget(widgetSettings),
    widgetSeen: widgetSeenAt !== null && widgetSeenOn !== null ? { origin: widgetSeenOn, at: widgetSeenAt } : null,
    sourcePages: row.sourcePages === 1,
    reportsEvents: row.reportsEvents === 1,
  }
}

function insertion(bot: BotRecord): Statement {
  return {
    sql: `INSERT INTO bots (workspace_id, id, name, language, site_url, fallback_message, tone, answer_threshold,
            suggest_threshold, language_model, created_at, widget_settings, retention_days, source_pages,
            currency)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
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
    currency: null,
    sourcePages: true,
    retentionDays: DEFAULT_RETENTION_DAYS,
    knowledgeVersion: 0,
    curatedVersion: 0,
    actionsVersion: 0,
    reportsEvents: false,
    productVersion: 0,
    productReadyVersion: 0,
    ...given,
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
