// What the rest of the house relies on in a database: the same on both engines.
import { readdirSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createArchiveDatabase } from '../../src/storage/archives/archive-database.ts'
import { type Database, type Row, StorageError } from '../../src/storage/database.ts'
import { openPostgres, postgresDialect } from '../../src/storage/engines/postgres.ts'
import { connectSqlite } from '../../src/storage/engines/sqlite.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { createDatabase, type Engine, engines } from '../harness/database/databases.ts'
import { waitFor } from '../harness/outside/receiver.ts'

const NOW = Date.UTC(2026, 10, 15)

async function open(engine: Engine) {
  const test = await createDatabase(engine, { isEmpty: true })
  const opened: Database[] = []
  const reopen = async () => {
    const database = await openDatabase({ ...test, databasePoolSize: 10 }, NOW)
    opened.push(database)
    return database
  }
  onTestFinished(async () => {
    await Promise.allSettled(opened.map((database) => database.close()))
    await test.drop()
  })
  return { database: await reopen(), reopen }
}

async function withSamples(engine: Engine) {
  const { database, reopen } = await open(engine)
  await database.write(`CREATE TABLE samples (
    id TEXT PRIMARY KEY, text TEXT, note TEXT, whole BIGINT, part DOUBLE PRECISION, parent TEXT REFERENCES samples (id)
  )`)
  const ids = async () =>
    (await database.query<{ id: string }>('SELECT id FROM samples ORDER BY id')).map(({ id }) => id)
  return { database, reopen, ids }
}

const insertion = (id: string) => ({ sql: 'INSERT INTO samples (id) VALUES ($1)', values: [id] })
const orphan = { sql: 'INSERT INTO samples (id, parent) VALUES ($1, $2)', values: ['child', 'nobody'] }

describe.each(engines)('values on %s', (engine) => {
  test('lower() knows the letters of other languages', async () => {
    const { database } = await open(engine)
    const [row] = await database.query(`SELECT lower('ÖFFNUNGSZEITEN Ёлка 42') AS low, lower(NULL) AS absent`)
    expect({ ...row }).toEqual({ low: 'öffnungszeiten ёлка 42', absent: null })
  })

  const everyPlane = Array.from({ length: 0x110000 / 97 }, (_, index) => index * 97 + 1)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .join('')

  test.each<[string, Row]>([
    ['text of every plane of Unicode', { text: everyPlane, note: 'e\u0301 👩‍👩‍👧 \u202e\ufeff\u{10ffff}\uffff' }],
    ['quotes, escapes and empty text', { text: `'"\\$1 ? %s \n\r\t\u0001`, note: '' }],
    ['whole numbers up to 2^53 - 1', { whole: Number.MAX_SAFE_INTEGER, part: Number.MIN_SAFE_INTEGER }],
    ['negative whole numbers', { whole: Number.MIN_SAFE_INTEGER, part: -1 }],
    ['parts', { whole: 0, part: 0.1 + 0.2 }],
    ['the smallest and the largest part', { whole: 1, part: 5e-324 }],
    ['the largest part', { whole: null, part: Number.MAX_VALUE }],
    ['nothing', { text: null, note: null, whole: null, part: null }],
  ])('come out as they went in: %s', async (_, values) => {
    const { database } = await withSamples(engine)
    const row = { text: null, note: null, whole: null, part: null, ...values }
    await database.write('INSERT INTO samples (id, text, note, whole, part) VALUES ($1, $2, $3, $4, $5)', [
      'a',
      row.text,
      row.note,
      row.whole,
      row.part,
    ])
    const [kept] = await database.query('SELECT text, note, whole, part FROM samples WHERE id = $1', ['a'])
    expect({ ...kept }).toEqual(row)
  })

  test('are cleaned of NUL and lone surrogates', async () => {
    const { database } = await withSamples(engine)
    await database.write('INSERT INTO samples (id, text) VALUES ($1, $2)', ['a\0', 'x\0y\ud800z\udc00'])
    expect(await database.query('SELECT text FROM samples WHERE id = $1', ['\0a'])).toEqual([
      { text: 'xy\ufffdz\ufffd' },
    ])
  })
})

describe.each(engines)('statements on %s', (engine) => {
  test('may use a parameter twice and out of order', async () => {
    const { database } = await withSamples(engine)
    await database.write('INSERT INTO samples (id, text, note) VALUES ($2, $1, $1)', ['both', 'a'])
    const rows = await database.query('SELECT text, note FROM samples WHERE text = $2 AND id = $1 AND note = $2', [
      'a',
      'both',
    ])
    expect(rows.map((row) => ({ ...row }))).toEqual([{ text: 'both', note: 'both' }])
  })

  test('tell what they changed with RETURNING, and nothing without', async () => {
    const { database } = await withSamples(engine)
    expect(await database.write('INSERT INTO samples (id, whole) VALUES ($1, $2)', ['a', 1])).toEqual([])
    const changed = await database.write('UPDATE samples SET whole = whole + 1 RETURNING id, whole')
    expect(changed.map((row) => ({ ...row }))).toEqual([{ id: 'a', whole: 2 }])
    expect(await database.write('DELETE FROM samples WHERE id = $1 RETURNING id', ['b'])).toEqual([])
  })

  test('insert or update with ON CONFLICT, and can decline to', async () => {
    const { database } = await withSamples(engine)
    const count = async () => {
      const rows = await database.write<{ whole: number }>(
        `INSERT INTO samples (id, whole) VALUES ('a', 1)
         ON CONFLICT (id) DO UPDATE SET whole = samples.whole + 1 WHERE samples.whole < $1 RETURNING whole`,
        [3],
      )
      return rows[0]?.whole
    }
    expect([await count(), await count(), await count(), await count()]).toEqual([1, 2, 3, undefined])
  })

  test('that violate a constraint are told apart, in every way of running them', async () => {
    const { database } = await withSamples(engine)
    const { sql, values } = insertion('a')
    await database.write(sql, values)
    const ways = [
      (statement: typeof orphan) => database.write(statement.sql, statement.values),
      (statement: typeof orphan) => database.batch([statement]),
      (statement: typeof orphan) => database.transaction((tx) => tx.query(statement.sql, statement.values)),
      (statement: typeof orphan) => database.transaction((tx) => seen(tx.query(statement.sql, statement.values))),
    ]
    for (const run of ways) {
      await expect(run(insertion('a'))).rejects.toMatchObject({ name: 'StorageError', kind: 'unique' })
      await expect(run(orphan)).rejects.toMatchObject({ name: 'StorageError', kind: 'foreign_key' })
    }
  })

  /** What the work inside a transaction gets to see is a StorageError already. */
  async function seen<T>(query: Promise<T>): Promise<T> {
    const error = await query.catch((reason) => reason)
    expect(error).toBeInstanceOf(StorageError)
    throw error
  }
})

describe.each(engines)('what belongs together on %s', (engine) => {
  test('a batch is all or nothing', async () => {
    const { database, ids } = await withSamples(engine)
    await database.batch([insertion('a'), insertion('b')])
    await expect(database.batch([insertion('c'), insertion('a')])).rejects.toBeInstanceOf(StorageError)
    expect(await ids()).toEqual(['a', 'b'])
  })

  test('a transaction reads its own writes, gives its result, and keeps nothing when it fails', async () => {
    const { database, ids } = await withSamples(engine)
    const result = await database.transaction(async (tx) => {
      await tx.query('INSERT INTO samples (id, whole) VALUES ($1, 1)', ['a'])
      return tx.query<{ whole: number }>('UPDATE samples SET whole = whole + 1 RETURNING whole')
    })
    expect(result[0]?.whole).toBe(2)
    const failing = database.transaction(async (tx) => {
      await tx.query('DELETE FROM samples')
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await ids()).toEqual(['a'])
  })

  test('of 100 transactions at once, every seventh failing, exactly the others are kept', async () => {
    const { database, ids } = await withSamples(engine)
    const name = (n: number) => `n${String(n).padStart(3, '0')}`
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) =>
        database.transaction(async (tx) => {
          await tx.query('INSERT INTO samples (id, text) VALUES ($1, $2)', [name(n), 'first'])
          if (n % 14 === 0) await tx.query(orphan.sql, orphan.values)
          if (n % 7 === 0) throw new Error(`number ${n}`)
          await tx.query('UPDATE samples SET note = $2 WHERE id = $1', [name(n), 'second'])
        }),
      ),
    )
    const others = Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 7 !== 0)
    expect(outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))).toEqual(others)
    expect(await ids()).toEqual(others.map(name))
    expect(await database.query('SELECT id FROM samples WHERE note IS NULL')).toEqual([])
  })

  test('of 100 batches and notes at once, every seventh batch failing, exactly the others are kept, each once', async () => {
    const { database, ids } = await withSamples(engine)
    const name = (n: number) => `n${String(n).padStart(3, '0')}`
    const { sql, values } = insertion('counter')
    await database.write(sql, values)
    await database.write('UPDATE samples SET whole = 0')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, async (_, n) => {
        const counting = { sql: `UPDATE samples SET whole = whole + 1 WHERE id = 'counter'`, values: [] }
        if (n % 2 === 0) await database.writeRelaxed(counting.sql)
        await database.batch([counting, insertion(name(n)), ...(n % 7 === 0 ? [orphan] : [])])
      }),
    )
    const others = Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 7 !== 0)
    expect(outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))).toEqual(others)
    expect(await ids()).toEqual(['counter', ...others.map(name)])
    const [counter] = await database.query<{ whole: number }>(`SELECT whole FROM samples WHERE id = 'counter'`)
    expect(counter?.whole).toBe(50 + others.length)
  })

  test('reads never see what is not committed', async () => {
    const { database, ids } = await withSamples(engine)
    await database.transaction(async (tx) => {
      await tx.query('INSERT INTO samples (id) VALUES ($1)', ['a'])
      expect(await tx.query('SELECT id FROM samples')).toHaveLength(1)
      expect(await ids()).toEqual([])
    })
    expect(await ids()).toEqual(['a'])
  })

  test('no update of a shared counter is lost', async () => {
    const { database } = await withSamples(engine)
    await database.write(`INSERT INTO samples (id, whole) VALUES ('counter', 0)`)
    const raise = `UPDATE samples SET whole = whole + 1 WHERE id = 'counter'`
    await Promise.all(
      Array.from({ length: 120 }, (_, n) => {
        if (n % 4 === 0) return database.write(raise)
        if (n % 4 === 1) return database.writeRelaxed(raise)
        if (n % 4 === 2) return database.batch([{ sql: raise, values: [] }])
        return database.transaction((tx) => tx.query(raise))
      }),
    )
    expect((await database.query('SELECT whole FROM samples'))[0]?.whole).toBe(120)
  })

  test('a note is seen by all when it resolves', async () => {
    const { database } = await withSamples(engine)
    const noted = await database.writeRelaxed(`INSERT INTO samples (id, whole) VALUES ('noted', 1) RETURNING whole`)
    expect(noted).toEqual([{ whole: 1 }])
    expect(await database.query('SELECT id FROM samples')).toEqual([{ id: 'noted' }])
  })

  test('closing waits for what is queued', async () => {
    const { database, reopen } = await withSamples(engine)
    const writes = Array.from({ length: 80 }, (_, n) => {
      const { sql, values } = insertion(`n${n}`)
      return n % 2 ? database.write(sql, values) : database.transaction((tx) => tx.query(sql, values))
    })
    const outcomes = Promise.allSettled(writes)
    await database.close()
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toEqual([])
    const [row] = await (await reopen()).query('SELECT count(*) AS n FROM samples')
    expect(row?.n).toBe(80)
  })
})

describe.each(engines)('the tables on %s', (engine) => {
  test('are made once, however often the server starts', async () => {
    const { database, reopen } = await open(engine)
    await database.write(`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('ws_1', 'One', 'free', 1)`)
    const again = await reopen()
    expect(await again.query('SELECT id FROM workspaces')).toHaveLength(1)
    const versions = await again.query<{ version: number }>('SELECT version FROM schema_migrations ORDER BY version')
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1))
  })

  test('of a newer version are refused with a sentence that says what to do', async () => {
    const { database, reopen } = await open(engine)
    await database.write('INSERT INTO schema_migrations (version, applied_at) VALUES (999, 0)')
    await expect(reopen()).rejects.toThrow(/schema 999.*newer version/)
  })

  test('of tenants lead with the tenant in their primary key', async () => {
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
    // People may belong to several tenants.
    const ofPeople = ['accounts', 'sessions', 'recovery_codes', 'link_tokens', 'throttles']
    const ownedByTheInstance = ['schema_migrations', 'instance_values', 'workspaces', ...ofPeople]
    const tenants = tables.filter(({ name }) => !ownedByTheInstance.includes(name))
    expect(tenants.filter(({ lead }) => lead !== 'workspace_id' && lead !== 'bot_id')).toEqual([])
  })
})

test('SQLite is copied before its tables are changed, and only then', async () => {
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

test('several nodes may bring one PostgreSQL up to date at the same time', async () => {
  const database = await createDatabase('postgres', { isEmpty: true })
  const options = { ...database, databasePoolSize: 2 }
  const nodes = await Promise.allSettled(Array.from({ length: 4 }, () => openDatabase(options, NOW)))
  for (const node of nodes) if (node.status === 'fulfilled') await node.value.close()
  await database.drop()
  expect(nodes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
})

test('a node waits for another one’s migration longer than any statement may take', async () => {
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

test('SQLite keeps the statements that are used, and forgets those that no longer are', () => {
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

test('SQLite syncs every commit to disk: WAL with synchronous = FULL, and NORMAL only where that is asked for', async () => {
  const { database } = await open('sqlite')
  const level = 'PRAGMA synchronous'
  expect(await database.write('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(await database.writeRelaxed(level)).toEqual([{ synchronous: 1 }])
  expect(await database.write(level)).toEqual([{ synchronous: 2 }])
  expect(await database.writeRelaxed(level)).toEqual([{ synchronous: 1 }])
  expect(await database.transaction((tx) => tx.query(level))).toEqual([{ synchronous: 2 }])
  expect(await database.transaction((tx) => tx.query(level), { durable: false })).toEqual([{ synchronous: 1 }])
  // In one commit with something that must last.
  const together = await Promise.all([
    database.writeRelaxed(level),
    database.write(level),
    database.writeRelaxed(level),
  ])
  expect(together.flat()).toEqual(Array(3).fill({ synchronous: 2 }))
})

describe.each(engines)('signals on %s', (engine) => {
  test('reach whoever listens to their channel, on this node and on others', async () => {
    const { database, reopen } = await open(engine)
    // SQLite is one process on one file, so there the other node is the same.
    const other = engine === 'postgres' ? await reopen() : database
    const heard: string[] = []
    await Promise.all([
      database.onSignal('bells', (text) => heard.push(`here ${text}`)),
      other.onSignal('bells', (text) => heard.push(`there ${text}`)),
      other.onSignal('whistles', (text) => heard.push(`wrong ${text}`)),
    ])
    await other.signal('bells', 'ding')
    await waitFor(() => heard.length === 2, 'both to hear it')
    expect(heard.sort()).toEqual(['here ding', 'there ding'])
  })
})

test('a PostgreSQL that ends just after it has let a connection in fails the query, not the process', async () => {
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

test('PostgreSQL is measured by one query for all who ask, and its load by none', async () => {
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

test('of two transactions that wait for each other on PostgreSQL both end well', async () => {
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

test.each(['write', 'writeRelaxed', 'batch'] as const)(
  'a %s that waits for a transaction which waits for it ends well on PostgreSQL',
  async (way) => {
    const { database } = await withSamples('postgres')
    for (const { sql, values } of [insertion('first'), insertion('second')]) await database.write(sql, values)
    const sql = 'UPDATE samples SET note = $1'
    const waits = `SELECT 1 AS one FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%${sql}%'`
    let statement: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      await tx.query(`UPDATE samples SET text = 'held' WHERE id = 'second'`)
      // It has locked the first row by the time it waits for the second.
      statement = way === 'batch' ? database.batch([{ sql, values: [way] }]) : database[way](sql, [way])
      await waitFor(async () => (await database.query(waits)).length > 0, 'it to wait')
      await tx.query(`UPDATE samples SET text = 'held' WHERE id = 'first'`)
    })
    await statement
    const rows = await database.query('SELECT text, note FROM samples')
    expect(rows.map((row) => ({ ...row }))).toEqual(Array(2).fill({ text: 'held', note: way }))
  },
)
