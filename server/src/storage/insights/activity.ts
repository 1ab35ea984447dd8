// Figures of each half hour, counted in the same write as what they count: time zones differ by half hours, so the days of
// nearly all of them can be read from these. Nothing in them tells of a person, so they stay when conversations go.
import type { Channel, MessageRecord } from '../conversations/messages.ts'
import type { Database, Row, Statement } from '../database.ts'

const HALF_HOUR_MS = 1_800_000
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

export interface ActivityRecord extends Activity {
  /** When the half hour begins. */
  at: number
  channel: Channel
}

interface Counted {
  botId: string
  id: string
  channel: Channel
}

export type ActivityTable = ReturnType<typeof createActivityTable>

export function createActivityTable(database: Database) {
  return {
    /** Of the half hours that begin in a time, oldest first. */
    async list(botId: string, from: number, until: number): Promise<ActivityRecord[]> {
      const rows = await database.query<Row & { half_hour: number; channel: Channel }>(
        `SELECT half_hour, channel, ${names.map((name) => `sum(${name}) AS ${name}`).join(', ')} FROM activity
         WHERE bot_id = $1 AND half_hour >= $2 AND half_hour < $3
         GROUP BY half_hour, channel ORDER BY half_hour, channel`,
        [botId, Math.ceil(from / HALF_HOUR_MS), Math.ceil(until / HALF_HOUR_MS)],
      )
      return rows.map((row) => {
        const figures = Object.fromEntries(fields.map((field) => [field, Number(row[columns[field]])])) as Activity
        return { at: row.half_hour * HALF_HOUR_MS, channel: row.channel, ...figures }
      })
    },
  }
}

/** To be written together with what is counted. */
export function counting({ botId, id, channel }: Counted, at: number, change: Partial<Activity>): Statement {
  const given = fields.filter((field) => change[field])
  const values = given.map((field) => change[field] ?? 0)
  return { sql: upsert(given), values: [botId, halfHour(at), channel, slotOf(id), ...values] }
}

/** What a turn adds, a statement for each half hour it touches, in their order. */
export function countingTurn(
  conversation: Counted & { createdAt: number; isNew: boolean },
  messages: MessageRecord[],
): Statement[] {
  const changes = new Map<number, Partial<Activity>>()
  const add = (at: number, change: Partial<Activity>) => {
    const known = changes.get(halfHour(at)) ?? {}
    for (const field of fields) if (change[field]) known[field] = (known[field] ?? 0) + change[field]
    changes.set(halfHour(at), known)
  }
  if (conversation.isNew) add(conversation.createdAt, { conversations: 1 })
  for (const { createdAt, question, answered, decision, confidence } of messages) {
    const isLow = decision === 'suggest'
    const answers = { answered: Number(answered && !isLow), lowConfidence: Number(isLow) }
    add(createdAt, { messages: 1, ...(question ? { questions: 1, ...answers, confidence: confidence ?? 0 } : {}) })
  }
  const sorted = [...changes].sort(([a], [b]) => a - b)
  return sorted.map(([period, change]) => counting(conversation, period * HALF_HOUR_MS, change))
}

function halfHour(at: number): number {
  return Math.floor(at / HALF_HOUR_MS)
}

const statements = new Map<string, string>()

/** Only what changes is named: most turns change three figures of ten. */
function upsert(given: (keyof Activity)[]): string {
  const name = given.join()
  const known = statements.get(name)
  if (known) return known
  const own = given.map((field) => columns[field])
  const places = Array.from({ length: 4 + own.length }, (_, index) => `$${index + 1}`)
  const sums = own.map((column, index) => `${column} = activity.${column} + $${index + 5}`)
  const sql = `INSERT INTO activity (${['bot_id', 'half_hour', 'channel', 'slot', ...own].join(', ')})
    VALUES (${places.join(', ')}) ON CONFLICT (bot_id, half_hour, channel, slot) DO ${sums.length > 0 ? `UPDATE SET ${sums.join(', ')}` : 'NOTHING'}`
  statements.set(name, sql)
  return sql
}

/** By the conversation, so that whatever one transaction counts of it is in one row. */
function slotOf(conversationId: string): number {
  return (conversationId.codePointAt(conversationId.length - 1) ?? 0) % SLOTS
}
