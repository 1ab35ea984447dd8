// Behaviour specific to one of the two databases, and migrations.
import { readdirSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createArchiveDatabase } from '../../src/storage/archives/archive-database.ts'
import type { Database } from '../../src/storage/database.ts'
import { openPostgres, postgresDialect } from '../../src/storage/engines/postgres.ts'
import { connectSqlite } from '../../src/storage/engines/sqlite.ts'
import { priceOrder } from '../../src/storage/products/product-rows.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { createDatabase, engines } from '../harness/database/databases.ts'
import { waitFor } from '../harness/external/receiver.ts'
import { insertion, NOW, open, withSamples } from './open-database.ts'

describe.each(engines)('the tables on %s', (engine) => {
  test('are created once, however often the server starts', async () => {
    const { database, reopen } = await open(engine)
    await database.write(`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('ws_1', 'One', 'free', 1)`)
    const again = await reopen()
    expect(await again.query('SELECT id FROM workspaces')).toHaveLength(1)
    const versions = await again.query<{ version: number }>('SELECT version FROM schema_migrations ORDER BY version')
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1))
  })

  test('take the prices of products that are there already from their JSON', async () => {
    const { database, reopen } = await open(engine)
    // As it was before prices had a column.
    await database.write('DROP INDEX products_by_price')
    await database.write('ALTER TABLE products DROP COLUMN price_order')
    await database.write('DELETE FROM schema_migrations WHERE version >= 37')
    await database.write(`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('ws_1', 'One', 'free', 1)`)
    await database.write(
      `INSERT INTO bots (workspace_id, id, name, language, tone, created_at) VALUES ('ws_1', 'bot_1', 'B', 'en', 'neutral', 1)`,
    )
    const prices = [
      ['a', 19.9, null, 1991],
      ['b', 20, 5.5, 551],
      ['c', null, null, 0],
      ['d', 2e12, null, 100_000_000_000_001],
    ] as const
    for (const [id, price, salePrice, order] of prices) {
      await database.write(
        `INSERT INTO products (bot_id, id, hash, version, search_text, synced_at, body) VALUES ('bot_1', $1, 'h', 1, 't', 1, $2)`,
        [id, JSON.stringify({ price, salePrice })],
      )
      expect(priceOrder(salePrice ?? price)).toBe(order)
    }
    const migrated = await (await reopen()).query<{ id: string; price_order: number }>(
      'SELECT id, price_order FROM products ORDER BY id',
    )
    expect(migrated.map(({ id, price_order }) => [id, Number(price_order)])).toEqual(
      prices.map(([id, , , order]) => [id, order]),
    )
  })

  test('of a newer version are refused with a message that says what to do', async () => {
    const { database, reopen } = await open(engine)
    await database.write('INSERT INTO schema_migrations (version, applied_at) VALUES (999, 0)')
    await expect(reopen()).rejects.toThrow(/schema 999.*newer version/)
  })

  test('of tenants begin their primary key with the tenant', async () => {
    const { database } = await open(engine)
    const firstColumns = {
      sqlite: `SELECT m.name AS name, p.name AS lead FROM sqlite_master m, pragma_table_info(m.name) p
               WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND p.pk = 1`,
      postgres: `SELECT k.table_name AS name, k.column_name AS lead FROM information_schema.key_column_usage k
                 JOIN information_schema.table_constraints c USING (constraint_schema, constraint_name)
                 WHERE c.constraint_type = 'PRIMARY KEY' AND k.ordinal_position = 1 AND k.table_schema = 'public'`,
    }
    const tables = await database.query<{ name: string; lead: string }>(firstColumns[engine])
    expect(tables.map(({ name }) => name)).toContain('messages')
    // Accounts may belong to several tenants.
    const ofPeople = ['accounts', 'sessions', 'recovery_codes', 'link_tokens', 'throttles']
    const ownedByTheInstance = ['schema_migrations', 'instance_values', 'workspaces', ...ofPeople]
    const tenants = tables.filter(({ name }) => !ownedByTheInstance.includes(name))
    expect(tenants.filter(({ lead }) => lead !== 'workspace_id' && lead !== 'bot_id')).toEqual([])
  })
})

test('SQLite is backed up before a migration, and only then', async () => {
  const own = await createDatabase('sqlite', { isEmpty: true })
  onTestFinished(own.drop)
  const path = join(own.dataDir, 'docent.sqlite')
  const old = await createArchiveDatabase(path, NOW, 18)
  await old.query(`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('ws_1', 'Old', 'free', 1)`)
  old.finishPlain()
  const options = { ...own, databasePoolSize: 1 }
  for (let start = 1; start <= 2; start++) await (await openDatabase(options, NOW)).close()
  expect(readdirSync(own.dataDir).toSorted()).toEqual(['docent.sqlite', 'docent.sqlite.schema-18'])
  const copy = new DatabaseSync(`${path}.schema-18`)
  expect(copy.prepare('SELECT max(version) AS version FROM schema_migrations').get()).toEqual({ version: 18 })
  expect(copy.prepare('SELECT name FROM workspaces').get()).toEqual({ name: 'Old' })
  copy.close()
})

test('several nodes can migrate one PostgreSQL at the same time', async () => {
  const database = await createDatabase('postgres', { isEmpty: true })
  const options = { ...database, databasePoolSize: 2 }
  const nodes = await Promise.allSettled(Array.from({ length: 4 }, () => openDatabase(options, NOW)))
  for (const node of nodes) if (node.status === 'fulfilled') await node.value.close()
  await database.drop()
  expect(nodes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
})

test('a node waits for another’s migration longer than the statement timeout', async () => {
  const database = await createDatabase('postgres', { isEmpty: true })
  const url = new URL(database.databaseUrl ?? '')
  const other = postgres(url.href, { max: 1 })
  onTestFinished(async () => {
    await other.end()
    await database.drop()
  })
  url.searchParams.set('statement_timeout', '300')
  let opening: Promise<Database> | undefined
  await other.begin(async (held) => {
    await held.unsafe(postgresDialect.first.at(-1) ?? '')
    opening = openDatabase({ ...database, databaseUrl: url.href, databasePoolSize: 1 }, NOW)
    opening.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 900))
  })
  const opened = await opening
  const timeout = await opened?.query('SHOW statement_timeout')
  expect(timeout?.map((row) => ({ ...row }))).toEqual([{ statement_timeout: '300ms' }])
  await opened?.close()
})

test('SQLite caches statements in use, and drops unused ones', () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const connection = connectSqlite(':memory:')
  onTestFinished(() => {
    prepare.mockRestore()
    connection.close()
  })
  for (let n = 0; n < 600; n++) {
    connection.run('SELECT 1 AS often')
    connection.run(`SELECT ${n} AS once`)
  }
  expect(prepare).toHaveBeenCalledTimes(601)
  expect(connection.run('SELECT 0 AS once')).toEqual([{ once: 0 }])
  expect(prepare).toHaveBeenCalledTimes(602)
})

test('SQLite syncs every commit to disk: WAL with synchronous = FULL, and NORMAL only on request', async () => {
  const { database } = await open('sqlite')
  const level = 'PRAGMA synchronous'
  expect(await database.write('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(await database.writeRelaxed(level)).toEqual([{ synchronous: 1 }])
  expect(await database.write(level)).toEqual([{ synchronous: 2 }])
  expect(await database.writeRelaxed(level)).toEqual([{ synchronous: 1 }])
  expect(await database.transaction((tx) => tx.query(level))).toEqual([{ synchronous: 2 }])
  expect(await database.transaction((tx) => tx.query(level), { durable: false })).toEqual([{ synchronous: 1 }])
  // In one commit with a durable write.
  const together = await Promise.all([
    database.writeRelaxed(level),
    database.write(level),
    database.writeRelaxed(level),
  ])
  expect(together.flat()).toEqual(Array(3).fill({ synchronous: 2 }))
})

test('a PostgreSQL that stops right after accepting a connection fails the query, not the process', async () => {
  const own = await createDatabase('postgres')
  const target = new URL(own.databaseUrl ?? '')
  const proxy = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname)
    outgoing.pipe(incoming)
    let messages = 0
    incoming.on('data', (chunk) => {
      if (++messages === 1) return outgoing.write(chunk)
      proxy.close()
      return incoming.destroy()
    })
    incoming.on('close', () => outgoing.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const unhandled: unknown[] = []
  const hear = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', hear)
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  const database = openPostgres(url.href, 1)
  onTestFinished(async () => {
    process.off('unhandledRejection', hear)
    await database.close()
    await own.drop()
  })
  await expect(database.query('SELECT 1 AS one')).rejects.toMatchObject({ kind: 'unavailable' })
  await new Promise(setImmediate)
  expect(unhandled).toEqual([])
})

test('parallel checks of PostgreSQL share one query, and reading its load needs none', async () => {
  const own = await createDatabase('postgres')
  const database = openPostgres(own.databaseUrl ?? '', 3)
  onTestFinished(async () => {
    await database.close()
    await own.drop()
  })
  expect(database.load()).toEqual({ operations: 0, poolSize: 3 })
  const both = Promise.all([database.measure(), database.measure()])
  expect(database.load().operations).toBe(1)
  const [size, again] = await both
  expect(size.sizeBytes).toBeGreaterThan(1000)
  expect(again).toBe(size)
  const later = database.measure()
  expect(database.load().operations).toBe(0)
  expect(await later).toBe(size)
})

test('two deadlocked transactions on PostgreSQL both succeed', async () => {
  const { database, ids } = await withSamples('postgres')
  await database.batch([insertion('a'), insertion('b')])
  const firstHalf = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
  const note = 'UPDATE samples SET note = coalesce(note, $2) || $2 WHERE id = $1'
  const cross = (own: 'a' | 'b', other: 'a' | 'b') =>
    database.transaction(async (tx) => {
      await tx.query(note, [own, own])
      firstHalf[own].resolve()
      await firstHalf[other].promise
      await tx.query(note, [other, own])
    })
  await Promise.all([cross('a', 'b'), cross('b', 'a')])
  expect(await ids()).toEqual(['a', 'b'])
})

test('a query that breaks off after some rows does not change the next result on PostgreSQL', async () => {
  const { database } = await withSamples('postgres')
  const breaksOff = () => database.query('SELECT 1 / (4 - i) AS one FROM generate_series(1, 10) i').catch(() => null)
  const counted = () => database.query<{ i: number }>('SELECT i FROM generate_series(1, 3) i')
  // More than there are connections.
  const times = Array.from({ length: 30 })
  await Promise.all(times.map(breaksOff))
  const results = await Promise.all(times.map(counted))
  expect(results.map((rows) => [...rows].map((row) => row?.i))).toEqual(times.map(() => [1, 2, 3]))
})

test('a removal with five deadlocks in a row on PostgreSQL succeeds', async () => {
  const { database, ids } = await withSamples('postgres')
  await database.batch([insertion('a'), insertion('b')])
  // Unlike a table, a sequence is not rolled back with the transaction.
  await database.write('CREATE SEQUENCE removals')
  await database.write(`CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('removals') <= 5 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
    RETURN OLD;
  END $$`)
  await database.write('CREATE TRIGGER deadlocks BEFORE DELETE ON samples FOR EACH ROW EXECUTE FUNCTION deadlock()')
  await database.write('DELETE FROM samples WHERE id = $1', ['a'])
  expect(await ids()).toEqual(['b'])
})

test.each(['write', 'writeRelaxed', 'batch'] as const)(
  'a %s that is deadlocked with a transaction succeeds on PostgreSQL',
  async (way) => {
    const { database } = await withSamples('postgres')
    for (const { sql, values } of [insertion('first'), insertion('second')]) await database.write(sql, values)
    const sql = 'UPDATE samples SET note = $1'
    const waits = `SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%${sql}%'`
    let statement: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      await tx.query(`UPDATE samples SET text = 'held' WHERE id = 'second'`)
      // Once it waits for the second row, it has locked the first.
      statement = way === 'batch' ? database.batch([{ sql, values: [way] }]) : database[way](sql, [way])
      await waitFor(async () => (await database.query(waits)).length > 0, 'it to wait')
      await tx.query(`UPDATE samples SET text = 'held' WHERE id = 'first'`)
    })
    await statement
    const rows = await database.query('SELECT text, note FROM samples')
    expect(rows.map((row) => ({ ...row }))).toEqual(Array(2).fill({ text: 'held', note: way }))
  },
)
