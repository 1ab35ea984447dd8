// The scale-out engine: PostgreSQL, any number of nodes.
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { cacheResult } from '../../caching.ts'
import {
  type Columns,
  type Database,
  type Dialect,
  propertyOf,
  type Queries,
  type Row,
  type Statement,
  StorageError,
  toStorable,
  type Value,
} from '../database.ts'

const DEADLOCK = '40P01'
const LOCK_TIMEOUT = '55P03'
const FEATURE_NOT_SUPPORTED = '0A000'
const TRANSACTION_ABORTED = '25P02'
const MAX_TRIES = 8
const MIGRATION_LOCK = 20261101
const INDEX_LOCK = 20261102
// A build waits for every transaction that began before it, such as a backup.
const INDEX_LOCK_TIMEOUT_MS = 60_000
const FIRST_PAUSE_MS = 10
const CLOSE_CHECK_MS = 5
// PostgreSQL stats every file of the database for it.
const SIZE_EVERY_MS = 60_000

export const postgresDialect: Dialect = {
  clustered: '',
  blob: 'BYTEA',
  binary: 'COLLATE "C"',
  // Waiting for another node may exceed the statement timeout. Whoever reads a table that is to be changed may do so for
  // long, and everybody else would wait behind the change.
  first: [
    'SET LOCAL statement_timeout = 0',
    `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
    `SET LOCAL lock_timeout = '1s'`,
  ],
  indexesAtOnce: false,
  cascadesFrom: null,
}

export function openPostgres(url: string, poolSize: number): Database {
  const sql = postgres(url, {
    max: poolSize,
    connect_timeout: 5,
    idle_timeout: 60,
    onnotice: () => {},
    // We store no arrays, and an error in the driver's own query for array types would end the process.
    fetch_types: false,
    connection: { application_name: 'docent', statement_timeout: 30_000 },
    // Our integers are counts and milliseconds: all below 2^53, their sums and averages too.
    types: { number: { to: 20, from: [20, 1700], parse: Number, serialize: String } },
    // Once per prepared statement.
    transform: { column: { from: propertyOf } },
  })

  let underWay = 0
  const takeConnection = makeSlots(poolSize)

  const run = async <R extends Columns<R> = Row>(
    runner: postgres.ISql,
    text: string,
    values: Value[] = [],
  ): Promise<R[]> => {
    try {
      const rows = await runner.unsafe(text, values.map(toStorable) as never[], { prepare: true })
      return withoutHoles(rows as unknown as R[])
    } catch (error) {
      throw toStorageError(error)
    }
  }

  /** Each attempt has a connection that nobody else uses meanwhile. */
  async function operate<T>(attempt: () => Promise<T>): Promise<T> {
    underWay++
    try {
      return await retryOnConflict(async () => {
        const release = await takeConnection()
        return attempt().finally(release)
      })
    } catch (error) {
      throw toStorageError(error)
    } finally {
      underWay--
    }
  }

  const write = <R extends Columns<R> = Row>(text: string, values?: Value[]) => operate(() => run<R>(sql, text, values))

  return {
    engine: 'postgres',
    query: write,
    queryLarge: write,
    write,
    writeRelaxed: write,
    async batch(statements) {
      if (statements.length === 0) return
      const statement = joinStatements(statements)
      await write(statement.sql, statement.values)
    },
    transaction: <T>(work: (tx: Queries) => Promise<T>): Promise<T> =>
      operate(async () => {
        const result = await sql.begin((connection) =>
          workWithin({ query: (text, values) => run(connection, text, values) }, work),
        )
        return result as T
      }),
    buildIndex: (statement) => buildIndex(url, statement),
    signal: async (channel, text) => void (await operate(() => sql.notify(channel, text))),
    onSignal: async (channel, hear) => void (await sql.listen(channel, hear)),
    load: () => ({ operations: underWay, poolSize }),
    measure: cacheResult(async () => {
      const [row] = await write<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
      return { sizeBytes: row?.bytes ?? 0, walBytes: null }
    }, SIZE_EVERY_MS),
    async close() {
      // The driver would reject queries it has not sent yet.
      while (underWay > 0) await setTimeout(CLOSE_CHECK_MS)
      await sql.end({ timeout: 5 })
    },
  }
}

/**
 * Hands out `count` slots, first come, first served. With more queries than connections, the driver would send several at
 * once on each, and give one the rows of another when it prepares a statement again (`retryOnConflict`).
 */
function makeSlots(count: number): () => Promise<() => void> {
  let free = count
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return release
  }
}

/**
 * Ends only when every query sent has ended: the driver would lose a rollback behind one that it is preparing again, and the
 * connection with it. Fails with what aborted the transaction, not with what the queries after it were told.
 */
async function workWithin<T>(connection: Queries, work: (tx: Queries) => Promise<T>): Promise<T> {
  const pending = new Set<Promise<unknown>>()
  let cause: unknown
  const query: Queries['query'] = (text, values) => {
    const rows = connection.query<never>(text, values)
    const completion = rows
      .catch((error) => {
        if (codeOf(error) !== TRANSACTION_ABORTED) cause ??= error
      })
      .finally(() => pending.delete(completion))
    pending.add(completion)
    return rows
  }
  try {
    return await work({ query })
  } catch (error) {
    await Promise.all(pending)
    throw codeOf(error) === TRANSACTION_ABORTED ? (cause ?? error) : error
  }
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** On a connection of its own: a concurrent build is no part of a transaction and may take hours. */
async function buildIndex(url: string, statement: string): Promise<boolean> {
  const name = /^CREATE INDEX (\w+)/.exec(statement)?.[1] ?? ''
  const connection = { application_name: 'docent', statement_timeout: 0, lock_timeout: INDEX_LOCK_TIMEOUT_MS }
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {}, fetch_types: false, connection })
  try {
    const state = async () =>
      (
        await sql`SELECT i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
          WHERE c.relname = ${name} AND c.relnamespace = CAST(current_schema() AS regnamespace)`
      )[0]?.valid as boolean | undefined
    if (await state()) return true
    // Not waited for: a waiting transaction is one that the other node's build would wait for.
    const [lock] = await sql`SELECT pg_try_advisory_lock(${INDEX_LOCK}) AS held`
    if (!lock?.held) return false
    // Left behind by a build that was broken off.
    if ((await state()) === false) await sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    await sql.unsafe(statement.replace(/^CREATE INDEX /, 'CREATE INDEX CONCURRENTLY IF NOT EXISTS '))
    return true
  } catch (error) {
    if (codeOf(error) === LOCK_TIMEOUT) return false
    throw toStorageError(error)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/**
 * After a query broke off between two rows, the driver leaves holes at the start of the connection's next result
 * (porsager/postgres#1181): the first row seemed not to exist.
 */
function withoutHoles<R>(rows: R[]): R[] {
  return rows.length === 0 || 0 in rows ? rows : rows.filter(() => true)
}

/**
 * PostgreSQL aborts one of two deadlocked transactions; on retry the other is done. Large ones, such as removing a bot
 * under full load, may deadlock several times in a row. It also refuses a prepared "SELECT *" once a newer node has
 * added a column to its table.
 */
async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      const code = codeOf(error)
      const { message } = (error ?? {}) as { message?: string }
      // The driver prepares the statement again, but not within a transaction. Every connection of the pool has it.
      if (code === FEATURE_NOT_SUPPORTED && message?.includes('cached plan') && tries < MAX_TRIES * 10) continue
      if (tries >= MAX_TRIES || code !== DEADLOCK) throw error
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** tries)
    }
  }
}

/** Joins statements into one, so that a whole turn costs one round trip and one implicit transaction. */
function joinStatements(statements: Statement[]): Statement {
  const values: Value[] = []
  const parts = statements.map(({ sql, values: ownValues }, index) => {
    const offset = values.length
    values.push(...ownValues)
    return `s${index} AS (${sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)})`
  })
  return { sql: `WITH ${parts.join(', ')} SELECT 1`, values }
}

function toStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  const code = String(codeOf(error) ?? '')
  if (code === '23505') return new StorageError('unique', error)
  if (code === '23503') return new StorageError('foreign_key', error)
  if (code === '53100') return new StorageError('unavailable', error, 'the disk of the database is full')
  if (code === '25006') return new StorageError('unavailable', error, 'the database can only be read')
  // Connection lost or refused, server shutting down, out of resources, statement timed out.
  const outOfReach = /^(08|53|57|58)|^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|CONNECT|CONNECTION)/
  return outOfReach.test(code) ? new StorageError('unavailable', error, 'the database cannot be reached') : error
}
