// Counters per half hour, updated in the same write as what they count. Time zone offsets are mostly multiples of half an
// hour, so local days can be summed from them. They hold no personal data and outlive conversations.

import { columnOf, type Database, type Statement } from './database.ts'
import type { Channel, MessageRecord } from './messages.ts'
import { queryMany } from './statements.ts'

export const HALF_HOUR_MS = 1_800_000
const SLOTS = 8

export interface Activity {
  conversations: number
  messages: number
  questions: number
  /** Confident answers only; others are counted separately. */
  answered: number
  lowConfidence: number
  ratingsUp: number
  ratingsDown: number
  handoversRequested: number
  handoversAccepted: number
  leads: number
  /** Sum over all questions. */
  confidence: number
}

const FIELDS: (keyof Activity)[] = [
  'conversations',
  'messages',
  'questions',
  'answered',
  'lowConfidence',
  'ratingsUp',
  'ratingsDown',
  'handoversRequested',
  'handoversAccepted',
  'leads',
  'confidence',
]

export interface ActivityRecord extends Activity {
  botId: string
  /** Index into the requested periods. */
  place: number
  channel: Channel
}

interface Counted {
  botId: string
  id: string
  channel: Channel
}

export function openActivityTable(database: Database) {
  return {
    /** Sums of the half hours that start in each period. Summed by the database: a year has many. */
    async list(botIds: readonly string[], times: { since: number; until: number }[]): Promise<ActivityRecord[]> {
      const bounds = times.flatMap(({ since, until }) => [
        Math.ceil(since / HALF_HOUR_MS),
        Math.ceil(until / HALF_HOUR_MS),
      ])
      const rows = times.map((_, index) => {
        const [from, until] = [1, 2].map((first) => `CAST($${index * 2 + first} AS INTEGER)`)
        return `(${index}, ${from}, ${until})`
      })
      const sums = FIELDS.map(columnOf).map((column) => `sum(a.${column}) AS ${column}`)
      return queryMany<ActivityRecord>(
        database,
        `WITH times (place, from_half_hour, until_half_hour) AS (VALUES ${rows.join(', ')})
         SELECT a.bot_id, t.place, a.channel, ${sums.join(', ')}
         FROM times t JOIN activity a
           ON a.half_hour >= t.from_half_hour AND a.half_hour < t.until_half_hour AND a.bot_id IN ({list})
         GROUP BY a.bot_id, t.place, a.channel ORDER BY t.place, a.channel`,
        bounds,
        botIds,
      )
    },
  }
}

/** Write it together with what is counted. */
export function activityCountStatement(
  { botId, id, channel }: Counted,
  at: number,
  change: Partial<Activity>,
  slot = slotOf(id),
): Statement {
  const changedFields = FIELDS.filter((field) => change[field])
  const values = changedFields.map((field) => change[field] ?? 0)
  return { sql: upsert(changedFields), values: [botId, halfHour(at), channel, slot, ...values] }
}

/** Counters of a turn: one statement per half hour, in order. */
export function turnCountStatements(
  conversation: Counted & { createdAt: number; isNew: boolean },
  messages: MessageRecord[],
  engine: Database['engine'],
): Statement[] {
  // SQLite has one writer: more slots would only slow down reading.
  const slot = engine === 'sqlite' ? 0 : slotOf(conversation.id)
  const changes = new Map<number, Partial<Activity>>()
  const add = (at: number, change: Partial<Activity>) => {
    const total = changes.get(halfHour(at)) ?? {}
    for (const field of FIELDS) if (change[field]) total[field] = (total[field] ?? 0) + change[field]
    changes.set(halfHour(at), total)
  }
  if (conversation.isNew) add(conversation.createdAt, { conversations: 1 })
  for (const { createdAt, question, answered, decision, confidence } of messages) {
    const isLow = decision === 'suggest'
    const answers = { answered: Number(answered && !isLow), lowConfidence: Number(isLow) }
    add(createdAt, { messages: 1, ...(question ? { questions: 1, ...answers, confidence: confidence ?? 0 } : {}) })
  }
  const sortedChanges = [...changes].sort(([a], [b]) => a - b)
  return sortedChanges.map(([period, change]) =>
    activityCountStatement(conversation, period * HALF_HOUR_MS, change, slot),
  )
}

function halfHour(at: number): number {
  return Math.floor(at / HALF_HOUR_MS)
}

const statements = new Map<string, string>()

/** Names only changed columns: most turns change three of ten. */
function upsert(changedFields: (keyof Activity)[]): string {
  const name = changedFields.join()
  const cachedSql = statements.get(name)
  if (cachedSql) return cachedSql
  const columns = changedFields.map(columnOf)
  const places = Array.from({ length: 4 + columns.length }, (_, index) => `$${index + 1}`)
  const sums = columns.map((column, index) => `${column} = activity.${column} + $${index + 5}`)
  const sql = `INSERT INTO activity (${['bot_id', 'half_hour', 'channel', 'slot', ...columns].join(', ')})
    VALUES (${places.join(', ')}) ON CONFLICT (bot_id, half_hour, channel, slot) DO ${sums.length > 0 ? `UPDATE SET ${sums.join(', ')}` : 'NOTHING'}`
  statements.set(name, sql)
  return sql
}

/** By conversation, so that one transaction updates a single row. */
function slotOf(conversationId: string): number {
  return (conversationId.codePointAt(conversationId.length - 1) ?? 0) % SLOTS
}
