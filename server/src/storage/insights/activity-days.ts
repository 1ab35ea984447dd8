// Figures of each day (UTC), counted in the same write as what they count. Nothing in them tells of a person, so they
// stay when conversations go.
import { DAY_MS, utcDay } from '../../days.ts'
import type { Channel, MessageRecord } from '../conversations/messages.ts'
import type { Database, Row, Statement } from '../database.ts'

const SLOTS = 8

const columns = {
  conversations: 'conversations',
  messages: 'messages',
  questions: 'questions',
  /** With confidence; those without it are counted apart. */
  answered: 'answered',
  lowConfidence: 'low_confidence',
  ratingsUp: 'ratings_up',
  ratingsDown: 'ratings_down',
  handoversRequested: 'handovers_requested',
  handoversAccepted: 'handovers_accepted',
  leads: 'leads',
  /** The sum over the questions. */
  confidence: 'confidence',
} as const

export type Activity = Record<keyof typeof columns, number>
const fields = Object.keys(columns) as (keyof Activity)[]
const names = Object.values(columns)

export interface ActivityDay extends Activity {
  /** Days since 1970, UTC. */
  day: number
  channel: Channel
}

interface Counted {
  botId: string
  id: string
  channel: Channel
}

export type ActivityDaysTable = ReturnType<typeof createActivityDaysTable>

export function createActivityDaysTable(database: Database) {
  return {
    /** First day first, the last one included. */
    async list(botId: string, fromDay: number, toDay: number): Promise<ActivityDay[]> {
      const rows = await database.query<Row & { day: number; channel: Channel }>(
        `SELECT day, channel, ${names.map((name) => `sum(${name}) AS ${name}`).join(', ')} FROM activity_days
         WHERE bot_id = $1 AND day >= $2 AND day <= $3 GROUP BY day, channel ORDER BY day, channel`,
        [botId, fromDay, toDay],
      )
      return rows.map((row) => {
        const figures = Object.fromEntries(fields.map((field) => [field, Number(row[columns[field]])])) as Activity
        return { day: row.day, channel: row.channel, ...figures }
      })
    },
  }
}

/** To be written together with what is counted. */
export function counting({ botId, id, channel }: Counted, at: number, change: Partial<Activity>): Statement {
  const given = fields.filter((field) => change[field])
  const values = given.map((field) => change[field] ?? 0)
  return { sql: upsert(given), values: [botId, utcDay(at), channel, slotOf(id), ...values] }
}

/** What a turn adds, a statement for each day it touches, in their order. */
export function countingTurn(
  conversation: Counted & { createdAt: number; isNew: boolean },
  messages: MessageRecord[],
): Statement[] {
  const days = new Map<number, Partial<Activity>>()
  const add = (at: number, change: Partial<Activity>) => {
    const day = utcDay(at)
    const known = days.get(day) ?? {}
    for (const field of fields) if (change[field]) known[field] = (known[field] ?? 0) + change[field]
    days.set(day, known)
  }
  if (conversation.isNew) add(conversation.createdAt, { conversations: 1 })
  for (const { createdAt, question, answered, decision, confidence } of messages) {
    const isLow = decision === 'suggest'
    const answers = { answered: Number(answered && !isLow), lowConfidence: Number(isLow) }
    add(createdAt, { messages: 1, ...(question ? { questions: 1, ...answers, confidence: confidence ?? 0 } : {}) })
  }
  const sorted = [...days].sort(([a], [b]) => a - b)
  return sorted.map(([day, change]) => counting(conversation, day * DAY_MS, change))
}

const statements = new Map<string, string>()

/** Only what changes is named: most turns change three figures of ten. */
function upsert(given: (keyof Activity)[]): string {
  const name = given.join()
  const known = statements.get(name)
  if (known) return known
  const own = given.map((field) => columns[field])
  const places = Array.from({ length: 4 + own.length }, (_, index) => `$${index + 1}`)
  const sums = own.map((column, index) => `${column} = activity_days.${column} + $${index + 5}`)
  const sql = `INSERT INTO activity_days (${['bot_id', 'day', 'channel', 'slot', ...own].join(', ')})
    VALUES (${places.join(', ')}) ON CONFLICT (bot_id, day, channel, slot) DO ${sums.length > 0 ? `UPDATE SET ${sums.join(', ')}` : 'NOTHING'}`
  statements.set(name, sql)
  return sql
}

/** By the conversation, so that whatever one transaction counts of it is in one row. */
function slotOf(conversationId: string): number {
  return (conversationId.codePointAt(conversationId.length - 1) ?? 0) % SLOTS
}
