import { activityCountStatement } from './activity.ts'
import { type Database, first, type Queries, type Stored } from './database.ts'
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

type LeadRow = Stored<LeadRecord>

export interface LeadFilter {
  visitorId?: string | undefined
  source?: LeadRecord['source'] | undefined
}

export type LeadsTable = ReturnType<typeof openLeadsTable>

export function openLeadsTable(database: Database) {
  return {
    /** One lead per visitor: the first creates it, verified ones may update it. */
    async capture(
      tx: Queries,
      lead: LeadRecord,
      mayChange: boolean,
    ): Promise<{ lead: LeadRecord; change: 'created' | 'updated' | null }> {
      const [made] = await tx.query<LeadRow>(
        `INSERT INTO leads (bot_id, id, visitor_id, conversation_id, name, email, phone, message, fields, source,
           consent, page_url, created_at, updated_at, name_lower, email_verified)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (bot_id, visitor_id) DO NOTHING RETURNING *`,
        [...toValues(lead), Number(mayChange)],
      )
      if (made) {
        const { botId, conversationId: id, createdAt } = lead
        const { sql, values } = activityCountStatement({ botId, id, channel: 'widget' }, createdAt, { leads: 1 })
        await tx.query(sql, values)
        return { lead: fromRow(made), change: 'created' }
      }
      const known = await first(
        tx.query<LeadRow>(`SELECT * FROM leads WHERE bot_id = $1 AND visitor_id = $2`, [lead.botId, lead.visitorId]),
      )
      if (!known) return { lead, change: null }
      if (mayChange && lead.email !== null)
        await tx.query('UPDATE leads SET email_verified = 1 WHERE bot_id = $1 AND visitor_id = $2', [
          lead.botId,
          lead.visitorId,
        ])
      const merged = mayChange ? merge(fromRow(known), lead) : null
      if (!merged) return { lead: fromRow(known), change: null }
      await tx.query(
        `UPDATE leads SET name = $3, email = $4, phone = $5, message = $6, fields = $7, consent = $8, page_url = $9,
           updated_at = $10, name_lower = $11 WHERE bot_id = $1 AND id = $2`,
        [
          merged.botId,
          merged.id,
          merged.name,
          merged.email,
          merged.phone,
          merged.message,
          JSON.stringify(merged.fields),
          Number(merged.consent),
          merged.pageUrl,
          merged.updatedAt,
          merged.name?.toLowerCase() ?? null,
        ],
      )
      return { lead: merged, change: 'updated' }
    },

    async existsFor(botId: string, visitorId: string): Promise<boolean> {
      const rows = await database.query('SELECT 1 AS one FROM leads WHERE bot_id = $1 AND visitor_id = $2', [
        botId,
        visitorId,
      ])
      return rows.length > 0
    },

    /** The visitor's leads. */
    async listOf(botId: string, visitorId: string) {
      const rows = await database.query<LeadRow>('SELECT * FROM leads WHERE bot_id = $1 AND visitor_id = $2', [
        botId,
        visitorId,
      ])
      return rows.map(fromRow)
    },

    async list(botId: string, { visitorId, source }: LeadFilter, listQuery: ListQuery) {
      const given: [column: string, value: string | undefined][] = [
        ['bot_id', botId],
        ['visitor_id', visitorId],
        ['source', source],
      ]
      const wants = given.filter((each): each is [string, string] => each[1] !== undefined)
      const rows = await listOrdered<LeadRow>(
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

    /** Returns whether it existed. */
    async remove(botId: string, id: string): Promise<boolean> {
      const rows = await database.write('DELETE FROM leads WHERE bot_id = $1 AND id = $2 RETURNING id', [botId, id])
      return rows.length > 0
    },
  }
}

/** Newer values win where present; null when nothing changes. */
function merge(known: LeadRecord, later: LeadRecord): LeadRecord | null {
  const merged = {
    ...known,
    name: later.name ?? known.name,
    email: later.email ?? known.email,
    phone: later.phone ?? known.phone,
    // Of chat messages, keep the first: it says what the lead is about.
    message: later.source === 'form' ? (later.message ?? known.message) : (known.message ?? later.message),
    fields: { ...known.fields, ...later.fields },
    consent: known.consent || later.consent,
  }
  if (JSON.stringify(merged) === JSON.stringify(known)) return null
  return { ...merged, pageUrl: later.pageUrl ?? known.pageUrl, updatedAt: later.updatedAt }
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

function fromRow(row: LeadRow): LeadRecord {
  return { ...row, fields: JSON.parse(row.fields), consent: row.consent === 1 }
}
