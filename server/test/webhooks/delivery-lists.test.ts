// The delivery log: pending and ended deliveries have separate indexes and are returned as one list.
import { type EventType, DELIVERY_STATES as states } from '@docent/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { type DeliveryFilter, openDeliveriesTable } from '../../src/storage/deliveries.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { createDatabase, type Engine, engines } from '../harness/database/databases.ts'

const NOW = Date.UTC(2026, 10, 15)
const types: EventType[] = ['chat.mirrored', 'lead.created']
const bots = ['bot_a', 'bot_b']
const endpointsOf = (bot: string) => [`${bot}_dead`, `${bot}_well`]

/** For each bot two endpoints, and for each of them deliveries of every type and state in turn. */
function sampleRows() {
  return bots.flatMap((bot) =>
    Array.from({ length: 60 }, (_, index) => {
      const event = `evt_${String(index).padStart(3, '0')}`
      const webhookId = endpointsOf(bot)[index % 2] ?? ''
      const state = states[Math.floor(index / 2) % states.length] ?? 'pending'
      const type = types[Math.floor(index / 6) % types.length] ?? 'chat.mirrored'
      return { bot, id: `${event}-${webhookId}`, event, webhookId, state, type }
    }),
  )
}

async function withDeliveries(engine: Engine) {
  const place = await createDatabase(engine)
  const database = await openDatabase({ ...place, databasePoolSize: 2 }, NOW)
  onTestFinished(async () => {
    await database.close()
    await place.drop()
  })
  await database.write(`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('wsp', 'W', 'business', 1)`)
  for (const bot of bots) {
    await database.write(
      `INSERT INTO bots (id, workspace_id, name, language, tone, created_at) VALUES ($1, 'wsp', 'B', 'en', 'friendly', 1)`,
      [bot],
    )
    for (const id of endpointsOf(bot))
      await database.write(
        `INSERT INTO webhooks (bot_id, id, url, secret, created_at) VALUES ($1, $2, 'https://a.test', '', 1)`,
        [bot, id],
      )
  }
  const rows = sampleRows()
  for (const { bot, id, event, webhookId, state, type } of rows)
    await database.write(
      `INSERT INTO deliveries (bot_id, id, webhook_id, event_id, event_type, payload, state, attempts, attempt_log, due_at, created_at)
       VALUES ($1, $2, $3, $4, $5, '{}', $6, 0, '', $7, $7)`,
      [bot, id, webhookId, event, type, state, NOW],
    )
  return { database, deliveries: openDeliveriesTable(database), rows }
}

const any = <T>(values: readonly T[]): (T | undefined)[] => [undefined, ...values]

describe.each(engines)('lists of deliveries on %s', (engine) => {
  test('follow every combination of filters, newest first, page by page, without those of other bots', async () => {
    const { deliveries, rows } = await withDeliveries(engine)
    for (const bot of bots)
      for (const webhookId of any(endpointsOf(bot)))
        for (const state of any(states))
          for (const eventType of any(types)) {
            const filter: DeliveryFilter = { webhookId, state, eventType }
            const expectedIds = rows
              .filter((row) => row.bot === bot)
              .filter((row) => webhookId === undefined || row.webhookId === webhookId)
              .filter((row) => state === undefined || row.state === state)
              .filter((row) => eventType === undefined || row.type === eventType)
              .map(({ id }) => id)
              .toSorted()
              .reverse()
            const listedIds: string[] = []
            for (let page = [''], before = ''; page.length > 0; before = listedIds.at(-1) ?? '') {
              page = (await deliveries.list(bot, filter, { after: before, isDown: true, limit: 7 })).map(({ id }) => id)
              listedIds.push(...page)
            }
            expect(listedIds, JSON.stringify({ bot, ...filter })).toEqual(expectedIds)
          }
  })

  test('have nothing for an endpoint of another bot', async () => {
    const { deliveries } = await withDeliveries(engine)
    for (const state of any(states))
      expect(
        await deliveries.list('bot_a', { webhookId: 'bot_b_well', state }, { after: '', isDown: true, limit: 50 }),
      ).toEqual([])
  })

  test('lose all deliveries of a removed endpoint, pending or ended, and no others', async () => {
    const { deliveries, rows } = await withDeliveries(engine)
    let removedCount = 0
    for (let some = 1; some > 0; removedCount += some) some = await deliveries.removeOf('bot_a', 'bot_a_dead', 7)
    expect(removedCount).toBe(30)
    const remaining = await Promise.all(
      bots.map((bot) => deliveries.list(bot, {}, { after: '', isDown: true, limit: 100 })),
    )
    const keptIds = rows.filter(({ webhookId }) => webhookId !== 'bot_a_dead').map(({ id }) => id)
    expect(remaining.flat().map(({ id }) => id)).toHaveLength(keptIds.length)
    expect(new Set(remaining.flat().map(({ id }) => id))).toEqual(new Set(keptIds))
  })
})

test('a list on SQLite is read in index order, so that its cost does not depend on the number of deliveries', async () => {
  const { database } = await withDeliveries('sqlite')
  const plans: string[] = []
  const explainingDatabase: Database = {
    ...database,
    async query(sql, values) {
      const plan = await database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values)
      plans.push(plan.map(({ detail }) => detail).join('; '))
      return database.query(sql, values)
    },
  }
  const deliveries = openDeliveriesTable(explainingDatabase)
  for (const webhookId of any(endpointsOf('bot_a')))
    for (const state of any(states))
      for (const eventType of any(types))
        for (const after of ['', 'evt_030'])
          for (const isDown of [true, false])
            await deliveries.list('bot_a', { webhookId, state, eventType }, { after, isDown, limit: 7 })
  expect(plans.length).toBeGreaterThan(50)
  expect(plans.filter((plan) => /SCAN deliveries|TEMP B-TREE/.test(plan))).toEqual([])
})
