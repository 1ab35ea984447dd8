import { activityCountStatement } from './activity.ts'
import { type Database, first, makeFromRow, type Queries, type Stored } from './database.ts'
import { type ListQuery, listOrdered } from './lists.ts'

export interface LeadRecord {
  botId: string
  id: string
  visitorId: string
  conversationId: string
  name: string | null
  email: string | null
  phone: string | null
  message: string | null
  fields: Record<string, string>
  source: 'form' | 'message'
  consent: boolean
  pageUrl: string | null
  createdAt: number
  updatedAt: number
}

const fromRow = makeFromRow<LeadRecord>({ fields: 'json', consent: 'flag' })

/** A contact form as it was sent; the visitor's lead has what is known by now. */
export interface SentFormRecord {
  botId: string
  /** Sorts by time. */
  id: string
  conversationId: string
  /** A label is null where the widget has its own. */
  fields: { name: string; label: string | null; value: string }[]
}

const formFromRow = makeFromRow<SentFormRecord>({ fields: 'json' })

interface LeadFilter {
  visitorId?: string | undefined
  source?: LeadRecord['source'] | undefined
}

export function openLeadsTable(database: Database) {
  return {
    /** One lead per visitor: the first creates it, verified ones may update it. */
    async capture(
      tx: Queries,
      lead: LeadRecord,
      mayChange: boolean,
    ): Promise<{ lead: LeadRecord; change: 'created' | 'updated' | null }> {
      const [newRow] = await tx.query<Stored<LeadRecord>>(
        `INSERT INTO leads (bot_id, id, visitor_id, conversation_id, name, email, phone, message, fields, source,
           consent, page_url, created_at, updated_at, name_lower, email_verified)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (bot_id, visitor_id) DO NOTHING RETURNING *`,
        [...toValues(lead), Number(mayChange)],
      )
      if (newRow) {
        const { botId, conversationId: id, createdAt } = lead
        const { sql, values } = activityCountStatement({ botId, id, channel: 'widget' }, createdAt, { leads: 1 })
        await tx.query(sql, values)
        return { lead: fromRow(newRow), change: 'created' }
      }
      const existingRow = await first(
        tx.query<Stored<LeadRecord>>(`SELECT * FROM leads WHERE bot_id = $1 AND visitor_id = $2`, [
          lead.botId,
          lead.visitorId,
        ]),
      )
      if (!existingRow) return { lead, change: null }
      if (mayChange && lead.email !== null)
        await tx.query('UPDATE leads SET email_verified = 1 WHERE bot_id = $1 AND visitor_id = $2', [
          lead.botId,
          lead.visitorId,
        ])
      const mergedLead = mayChange ? merge(fromRow(existingRow), lead) : null
      if (!mergedLead) return { lead: fromRow(existingRow), change: null }
      await tx.query(UPDATE, updateValues(mergedLead))
      return { lead: mergedLead, change: 'updated' }
    },

    /** The visitor's leads. */
    async listOf(botId: string, visitorId: string) {
      const rows = await database.query<Stored<LeadRecord>>(
        'SELECT * FROM leads WHERE bot_id = $1 AND visitor_id = $2',
        [botId, visitorId],
      )
      return rows.map(fromRow)
    },

    async saveForm(tx: Queries, { botId, id, conversationId, fields }: SentFormRecord) {
      await tx.query('INSERT INTO sent_forms (bot_id, id, conversation_id, fields) VALUES ($1, $2, $3, $4)', [
        botId,
        id,
        conversationId,
        JSON.stringify(fields),
      ])
    },

    /** The forms sent in a conversation, oldest first. */
    async listForms(botId: string, conversationId: string): Promise<SentFormRecord[]> {
      const rows = await database.query<Stored<SentFormRecord>>(
        'SELECT * FROM sent_forms WHERE bot_id = $1 AND conversation_id = $2 ORDER BY id',
        [botId, conversationId],
      )
      return rows.map(formFromRow)
    },

    async list(botId: string, { visitorId, source }: LeadFilter, listQuery: ListQuery) {
      const criteria: [column: string, value: string | undefined][] = [
        ['bot_id', botId],
        ['visitor_id', visitorId],
        ['source', source],
      ]
      const wants = criteria.filter((each): each is [string, string] => each[1] !== undefined)
      const rows = await listOrdered<Stored<LeadRecord>>(
        database,
        {
          select: 'SELECT * FROM leads',
          where: wants.map(([column], index) => `${column} = $${index + 1}`),
          values: wants.map(([, value]) => value),
          searched: `lower(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' ||
            coalesce(message, ''))`,
          // Ids sort by time.
          orders: { created_at: 'id', name: `coalesce(name_lower, '')` },
        },
        listQuery,
      )
      return rows.map(fromRow)
    },

    /** With the forms that the visitor sent. Returns whether it existed. */
    async remove(botId: string, id: string): Promise<boolean> {
      return database.transaction(async (tx) => {
        const [removed] = await tx.query<Pick<LeadRecord, 'visitorId'>>(
          'DELETE FROM leads WHERE bot_id = $1 AND id = $2 RETURNING visitor_id',
          [botId, id],
        )
        if (!removed) return false
        await tx.query(
          `DELETE FROM sent_forms WHERE bot_id = $1
             AND conversation_id IN (SELECT id FROM conversations WHERE bot_id = $1 AND visitor_id = $2)`,
          [botId, removed.visitorId],
        )
        return true
      })
    },
  }
}

/** Gives a visitor the lead of another, or what their own lacks of it. */
export async function mergeLeads(tx: Queries, botId: string, from: string, into: string) {
  const find = (visitorId: string) =>
    first(tx.query<Stored<LeadRecord>>('SELECT * FROM leads WHERE bot_id = $1 AND visitor_id = $2', [botId, visitorId]))
  const fromLead = await find(from)
  if (!fromLead) return
  const intoLead = await find(into)
  if (!intoLead) {
    await tx.query('UPDATE leads SET visitor_id = $3 WHERE bot_id = $1 AND id = $2', [botId, fromLead.id, into])
    return
  }
  const [one, other] = [fromRow(intoLead), fromRow(fromLead)].sort((a, b) => a.updatedAt - b.updatedAt)
  await tx.query('DELETE FROM leads WHERE bot_id = $1 AND id = $2', [botId, fromLead.id])
  if (one && other) await tx.query(UPDATE, updateValues({ ...(merge(one, other) ?? one), id: intoLead.id }))
}

const UPDATE = `UPDATE leads SET name = $3, email = $4, phone = $5, message = $6, fields = $7, consent = $8, page_url = $9,
  updated_at = $10, name_lower = $11 WHERE bot_id = $1 AND id = $2`

function updateValues(lead: LeadRecord) {
  return [
    lead.botId,
    lead.id,
    lead.name,
    lead.email,
    lead.phone,
    lead.message,
    JSON.stringify(lead.fields),
    Number(lead.consent),
    lead.pageUrl,
    lead.updatedAt,
    lead.name?.toLowerCase() ?? null,
  ]
}

/** Newer values win where present; null when nothing changes. */
function merge(earlier: LeadRecord, later: LeadRecord): LeadRecord | null {
  const mergedLead = {
    ...earlier,
    name: later.name ?? earlier.name,
    email: later.email ?? earlier.email,
    phone: later.phone ?? earlier.phone,
    // Of chat messages, keep the first: it says what the lead is about.
    message: later.source === 'form' ? (later.message ?? earlier.message) : (earlier.message ?? later.message),
    fields: { ...earlier.fields, ...later.fields },
    consent: earlier.consent || later.consent,
  }
  if (JSON.stringify(mergedLead) === JSON.stringify(earlier)) return null
  return { ...mergedLead, pageUrl: later.pageUrl ?? earlier.pageUrl, updatedAt: later.updatedAt }
}

function toValues(lead: LeadRecord) {
  return [
    lead.botId,
    lead.id,
    lead.visitorId,
    lead.conversationId,
    lead.name,
    lead.email,
    lead.phone,
    lead.message,
    JSON.stringify(lead.fields),
    lead.source,
    Number(lead.consent),
    lead.pageUrl,
    lead.createdAt,
    lead.updatedAt,
    lead.name?.toLowerCase() ?? null,
  ]
}
