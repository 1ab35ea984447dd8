// The delivery log of one endpoint or all, by time, filtered and searched.
import { type DeliveryEventType, deliveryEventTypes, deliveryStates } from '@docent/contract'
import type { Database } from '../database.ts'
import { likePattern } from '../ordered-list.ts'
import { columns, type DeliveryRecord, type DeliveryRow, fromRow } from './delivery-rows.ts'

export interface DeliveryFilter {
  webhookId?: string | undefined
  state?: DeliveryRecord['state'] | undefined
  eventType?: DeliveryEventType | undefined
  id?: string | undefined
}

interface DeliveryListQuery {
  text?: string | undefined
  /** Start after this id; empty: from the beginning. */
  after: string
  isDown: boolean
  limit: number
}

export function createDeliveryList(database: Database) {
  /** Splits a list into parts that one index serves in order: pending deliveries per endpoint, finished ones per state. */
  async function partsOf(botId: string, filter: DeliveryFilter): Promise<DeliveryFilter[]> {
    const { webhookId, state, eventType } = filter
    if (!webhookId && !eventType && !state) return [filter]
    const parts = (state ? [state] : deliveryStates).map((one) => ({ ...filter, state: one }))
    const ended = parts.filter((part) => part.state !== 'pending')
    if (webhookId || ended.length === parts.length) return parts
    const endpoints = await database.query<{ id: string }>(
      `SELECT id FROM webhooks WHERE bot_id = $1 AND kind = 'webhook'`,
      [botId],
    )
    return [...endpoints.map(({ id }) => ({ ...filter, state: 'pending' as const, webhookId: id })), ...ended]
  }

  /** Parts matching the text: by endpoint, by event type, or by delivery id. */
  async function partsWith(botId: string, filter: DeliveryFilter, text: string): Promise<DeliveryFilter[]> {
    const endpoints = await database.query<{ id: string }>(
      `SELECT w.id FROM webhooks w LEFT JOIN keys k ON k.bot_id = w.bot_id AND k.id = w.key_id
       WHERE w.bot_id = $1 AND w.kind = 'webhook' AND lower(w.url || ' ' || coalesce(k.name, '')) LIKE $2 ESCAPE '\\'`,
      [botId, likePattern(text)],
    )
    const events = deliveryEventTypes.filter((type) => type !== 'notification' && type.includes(text.toLowerCase()))
    const named = [
      ...endpoints.map(({ id }) => ({ ...filter, webhookId: id })),
      ...events.map((eventType) => ({ ...filter, eventType })),
    ].filter(({ webhookId, eventType }) => isIn(filter.webhookId, webhookId) && isIn(filter.eventType, eventType))
    const parts = await Promise.all(named.map((part) => partsOf(botId, part)))
    return [...parts.flat(), { ...filter, id: text }]
  }

  async function listPart(botId: string, part: DeliveryFilter, { after, isDown, limit }: DeliveryListQuery) {
    const { webhookId, state, eventType, id } = part
    const order = isDown ? 'DESC' : 'ASC'
    const given = [
      ['webhook_id =', webhookId],
      ['event_type =', eventType],
      ['id =', id],
      [isDown ? 'id <' : 'id >', after || undefined],
    ].filter((pair): pair is [string, string] => pair[1] !== undefined)
    const where = given.map(([comparison], index) => `AND ${comparison} $${index + 3}`).join(' ')
    const isOfEndpoint = webhookId && !id && (state === 'pending' || !eventType)
    // SQLite uses a partial index only if the query repeats its condition literally.
    const inState = state === 'pending' ? `state = 'pending'` : `state = '${state}' AND state <> 'pending'`
    // Looked up by id, so that the engine picks the endpoint's index.
    const own = webhookId || eventType ? '' : `AND event_type <> 'notification'`
    const sql = isOfEndpoint
      ? `SELECT ${columns} FROM deliveries WHERE bot_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE ${inState} ${where} ORDER BY id ${order} LIMIT $2)`
      : `SELECT ${columns} FROM deliveries WHERE bot_id = $1 ${own} ${state ? `AND ${inState}` : ''} ${where}
          ORDER BY id ${order} LIMIT $2`
    const rows = await database.query<DeliveryRow>(sql, [botId, limit, ...given.map(([, value]) => value)])
    return rows.map(fromRow)
  }

  return async (botId: string, filter: DeliveryFilter, listQuery: DeliveryListQuery): Promise<DeliveryRecord[]> => {
    const { text, isDown, limit } = listQuery
    const parts = text ? await partsWith(botId, filter, text) : await partsOf(botId, filter)
    const listed = await Promise.all(parts.map((part) => listPart(botId, part, listQuery)))
    // A delivery that finishes meanwhile may appear twice.
    const found = new Map(listed.flat().map((delivery) => [delivery.id, delivery]))
    return [...found.values()].sort((a, b) => (a.id < b.id === isDown ? 1 : -1)).slice(0, limit)
  }
}

function isIn(wanted: string | undefined, given: string | undefined): boolean {
  return wanted === undefined || wanted === given
}
