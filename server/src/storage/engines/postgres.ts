// The scale-out engine: PostgreSQL, any number of nodes.
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { cacheResult } from '../../caching/cache-result.ts'
import {
  type Database,
  type Dialect,
  type Queries,
  type Row,
  type Statement,
  StorageError,
  toStorable,
  type Value,
} from '../database.ts'

const DEADLOCK = '40P01'
const MAX_TRIES = 8
const FIRST_PAUSE_MS = 10
const CLOSE_CHECK_MS = 5
// PostgreSQL stats every file of the database for it.
const SIZE_EVERY_MS = 60_000

export const postgresDialect: Dialect = {
  clustered: '',
  numberInBody: (field) => `CAST(CAST(body AS json) ->> '${field}' AS numeric)`,
  blob: 'BYTEA',
  binary: 'COLLATE "C"',
  // Waiting for another node, or indexing a large table, may exceed the statement timeout.
  first: ['SET LOCAL statement_timeout = 0', 'SELECT pg_advisory_xact_lock(20261101)'],
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
    // Our integers are counts and milliseconds: all below 2^53.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  })

  let underWay = 0

  const run = async <R extends Row>(runner: postgres.ISql, text: string, values: Value[] = []): Promise<R[]> => {
    underWay++
    try {
      const rows = await runner.unsafe(text, values.map(toStorable) as never[], { prepare: true })
      return withoutHoles(rows as unknown as R[])
    } catch (error) {
      throw toStorageError(error)
    } finally {
      underWay--
    }
  }

  const write = <R extends Row>(text: string, values?: Value[]) => retryOnDeadlock(() => run<R>(sql, text, values))

  return {
    engine: 'postgres',
    query: (text, values) => run(sql, text, values),
    write,
    writeRelaxed: write,
    async batch(statements) {
      if (statements.length === 0) return
      const joined = joinStatements(statements)
      await write(joined.sql, joined.values)
    },
    async transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
      underWay++
      try {
        return await retryOnDeadlock(async () => {
          const result = await sql.begin((connection) =>
            work({ query: (text, values) => run(connection, text, values) }),
          )
          return result as T
        })
      } catch (error) {
        throw toStorageError(error)
      } finally {
        underWay--
      }
    },
    signal: async (channel, text) =>
      void (await sql.notify(channel, text).catch((error) => Promise.reject(toStorageError(error)))),
    onSignal: async (channel, hear) => void (await sql.listen(channel, hear)),
    load: () => ({ operations: underWay, poolSize }),
    measure: cacheResult(async () => {
      const [row] = await run<{ bytes: number }>(sql, 'SELECT pg_database_size(current_database()) AS bytes')
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
 * After a query broke off between two rows, the driver leaves holes at the start of the connection's next result
 * (porsager/postgres#1181): the first row seemed not to exist.
 */
function withoutHoles<R>(rows: R[]): R[] {
  return rows.length === 0 || 0 in rows ? rows : rows.filter(() => true)
}

/**
 * PostgreSQL aborts one of two deadlocked transactions; on retry the other is done. Large ones, such as removing a bot
 * under full load, may deadlock several times in a row.
 */
async function retryOnDeadlock<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === MAX_TRIES || (error as { code?: unknown } | null)?.code !== DEADLOCK) throw error
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** tries)
    }
  }
}

/** Joins statements into one, so that a whole turn costs one round trip and one implicit transaction. */
function joinStatements(statements: Statement[]): Statement {
  const values: Value[] = []
  const parts = statements.map(({ sql, values: own }, index) => {
    const offset = values.length
    values.push(...own)
    return `s${index} AS (${sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)})`
  })
  return { sql: `WITH ${parts.join(', ')} SELECT 1`, values }
}

function toStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (code === '23505') return new StorageError('unique', error)
  if (code === '23503') return new StorageError('foreign_key', error)
  if (code === '53100') return new StorageError('unavailable', error, 'the disk of the database is full')
  if (code === '25006') return new StorageError('unavailable', error, 'the database can only be read')
  // Connection lost or refused, server shutting down, out of resources, statement timed out.
  const outOfReach = /^(08|53|57|58)|^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|CONNECT|CONNECTION)/
  return outOfReach.test(code) ? new StorageError('unavailable', error, 'the database cannot be reached') : error
}
