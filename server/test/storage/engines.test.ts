// Behaviour specific to one of the two databases.

import { type AddressInfo, connect, createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../src/storage/engines/postgres.ts'
import { connectSqlite } from '../../src/storage/engines/sqlite.ts'
import { createDatabase } from '../harness/database/databases.ts'
import { waitFor } from '../harness/wait.ts'
import { insertion, open, withSamples } from './open-database.ts'

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
  expect(await database.write('PRAGMA journal_mode')).toEqual([{ journalMode: 'wal' }])
  expect(await database.writeRelaxed(level)).toEqual([{ synchronous: 1 }])
  expect(await database.write(level)).toEqual([{ synchronous: 2 }])
  expect(await database.writeRelaxed(level)).toEqual([{ synchronous: 1 }])
  expect(await database.transaction((tx) => tx.query(level))).toEqual([{ synchronous: 2 }])
  expect(await database.transaction((tx) => tx.query(level), { durable: false })).toEqual([{ synchronous: 1 }])
  // In one commit with a durable write.
  const writes = await Promise.all([database.writeRelaxed(level), database.write(level), database.writeRelaxed(level)])
  expect(writes.flat()).toEqual(Array(3).fill({ synchronous: 2 }))
})

test('a PostgreSQL that stops right after accepting a connection fails the query, not the process', async () => {
  const testDatabase = await createDatabase('postgres')
  const target = new URL(testDatabase.databaseUrl ?? '')
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
    await testDatabase.drop()
  })
  await expect(database.query('SELECT 1 AS one')).rejects.toMatchObject({ kind: 'unavailable' })
  await new Promise(setImmediate)
  expect(unhandled).toEqual([])
})

test('parallel checks of PostgreSQL share one query, and reading its load needs none', async () => {
  const testDatabase = await createDatabase('postgres')
  const database = openPostgres(testDatabase.databaseUrl ?? '', 3)
  onTestFinished(async () => {
    await database.close()
    await testDatabase.drop()
  })
  expect(database.load()).toEqual({ operations: 0, poolSize: 3 })
  const sizes = Promise.all([database.measure(), database.measure()])
  expect(database.load().operations).toBe(1)
  const [size, secondSize] = await sizes
  expect(size.sizeBytes).toBeGreaterThan(1000)
  expect(secondSize).toBe(size)
  const laterSize = database.measure()
  expect(database.load().operations).toBe(0)
  expect(await laterSize).toBe(size)
})

test('two deadlocked transactions on PostgreSQL both succeed', async () => {
  const { database, ids } = await withSamples('postgres')
  await database.batch([insertion('a'), insertion('b')])
  const firstHalf = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
  const note = 'UPDATE samples SET note = coalesce(note, $2) || $2 WHERE id = $1'
  const cross = (firstName: 'a' | 'b', secondName: 'a' | 'b') =>
    database.transaction(async (tx) => {
      await tx.query(note, [firstName, firstName])
      firstHalf[firstName].resolve()
      await firstHalf[secondName].promise
      await tx.query(note, [secondName, firstName])
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
    const waitingQueries = `SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%${sql}%'`
    let statement: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      await tx.query(`UPDATE samples SET text = 'held' WHERE id = 'second'`)
      // Once it waits for the second row, it has locked the first.
      statement = way === 'batch' ? database.batch([{ sql, values: [way] }]) : database[way](sql, [way])
      await waitFor(async () => (await database.query(waitingQueries)).length > 0, 'it to wait')
      await tx.query(`UPDATE samples SET text = 'held' WHERE id = 'first'`)
    })
    await statement
    const rows = await database.query('SELECT text, note FROM samples')
    expect(rows.map((row) => ({ ...row }))).toEqual(Array(2).fill({ text: 'held', note: way }))
  },
)

test('queries at once on PostgreSQL get their own rows while another node adds a column', async () => {
  const { database, reopen } = await withSamples('postgres')
  const otherNode = await reopen()
  const all = Array.from({ length: 40 }, (_, n) => `sample ${n}`)
  await database.batch(all.map(insertion))
  const whole = (id: string) => database.query<{ id: string }>('SELECT * FROM samples WHERE id = $1', [id])
  const narrow = (id: string) => database.query<{ name: string }>('SELECT id AS name FROM samples WHERE id = $1', [id])
  for (let round = 0; round < 5; round++) {
    const names = await Promise.all(
      all.map(async (id, n) => {
        // Not all in one turn of the event loop: some are sent while the statements are prepared again.
        if (n % 2) await whole(id)
        return [(await whole(id))[0]?.id, (await narrow(id))[0]?.name]
      }),
    )
    expect(names).toEqual(all.map((id) => [id, id]))
    await otherNode.write(`ALTER TABLE samples ADD COLUMN added_${round} TEXT`)
  }
})

test('a transaction with several queries at once on PostgreSQL survives a column added by another node', async () => {
  const { database, reopen } = await withSamples('postgres')
  const otherNode = await reopen()
  await database.batch([insertion('a'), insertion('b')])
  const both = () =>
    database.transaction((tx) =>
      Promise.all(['a', 'b'].map((id) => tx.query<{ id: string }>('SELECT * FROM samples WHERE id = $1', [id]))),
    )
  for (let round = 0; round < 3; round++) {
    const rows = await Promise.all(Array.from({ length: 10 }, both))
    expect(rows.flat(2)).toHaveLength(20)
    await otherNode.write(`ALTER TABLE samples ADD COLUMN added_${round} TEXT`)
  }
})
