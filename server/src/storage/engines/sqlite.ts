// The embedded engine. Transactions that arrive in one turn of the event loop share one commit (group commit)
// and one sync to disk. A failing one does not affect the others.
import { EventEmitter } from 'node:events'
import { stat } from 'node:fs/promises'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { Lru } from '../../caching.ts'
import { makePrivateFile, restrictToOwner } from '../../private-file.ts'
import {
  type Columns,
  type Database,
  type Dialect,
  propertyOf,
  type Queries,
  type Row,
  StorageError,
  toStorable,
  type Value,
} from '../database.ts'

// Versions before this one can corrupt a WAL database under concurrent checkpoints.
const MIN_VERSION = [3, 51, 3] as const
const GROUP_LIMIT = 32
const COMMITS_PER_LOOK = 16
// 8 MB: larger checkpoints are fewer but each takes longer.
const CHECKPOINT_PAGES = 2000
const LONGEST_LOG_PAGES = 16_000
// Long transactions yield so that others can read in between.
const LONGEST_TURN_MS = 3
// List orders and filters are composed per call, so the number of statements is unbounded.
const MAX_PREPARED = 500

export const sqliteDialect: Dialect = {
  clustered: 'WITHOUT ROWID',
  blob: 'BLOB',
  binary: '',
  first: [],
  indexesAtOnce: true,
  cascadesFrom: `SELECT t.name FROM sqlite_schema t, pragma_foreign_key_list(t.name) r
    WHERE t.type = 'table' AND r."table" = $1 AND r.on_delete = 'CASCADE' AND t.name <> $1`,
}

interface Member {
  work: () => unknown
  /** A single statement is atomic and needs no savepoint. */
  single: boolean
  /** Static statements, which can run again after a rollback. */
  repeatable: boolean
  /** On disk before the caller's promise resolves. */
  durable: boolean
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

export function openSqlite(path: string): Database {
  assertVersion()
  // SQLite gives its log and shared memory the mode of the database file, unless they exist already.
  makePrivateFile(path)
  for (const suffix of ['-wal', '-shm']) restrictToOwner(path + suffix)
  const writer = connectSqlite(path)
  const reader = connectSqlite(path, { readOnly: true })
  const checkpoints = openCheckpoints(path)
  const queue: Member[] = []
  // One process per file, so an in-process emitter reaches every listener.
  const signals = new EventEmitter()
  let commits = 0
  let flushing = false
  let turnStart = 0
  let waitsForDisk = true
  let lastLargeQuery: Promise<unknown> = Promise.resolve()

  function enqueue<T>(
    work: () => T | Promise<T>,
    { single = false, repeatable = false, durable = true } = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({ work, single, repeatable: single || repeatable, durable, resolve, reject })
      if (flushing) return
      flushing = true
      setImmediate(flush)
    })
  }

  async function flush() {
    while (queue.length > 0) {
      await commitTogether(queue.splice(0, GROUP_LIMIT))
      // Constant writers must not starve the event loop.
      await new Promise(setImmediate)
    }
    flushing = false
  }

  async function commitTogether(group: Member[]) {
    let settle: (() => void)[]
    try {
      turnStart = performance.now()
      setWaiting(group.some(({ durable }) => durable))
      settle = await runTogether(group)
    } catch (error) {
      if (writer.inTransaction()) writer.run('ROLLBACK')
      for (const member of group) member.reject(error)
      return
    }
    for (const finish of settle) finish()
    if (++commits % COMMITS_PER_LOOK === 0) checkpointWhenDue()
  }

  /** Savepoints copy every changed page, so groups first run without: failures are rare. */
  async function runTogether(group: Member[]): Promise<(() => void)[]> {
    if (group.length === 1) return runAll(group, false)
    if (!group.every(({ repeatable }) => repeatable)) return runAll(group, true)
    try {
      return await runAll(group, false)
    } catch (error) {
      // No transaction: the disk or a foreign lock failed, not a member.
      if (!writer.inTransaction()) throw error
      writer.run('ROLLBACK')
      return runAll(group, true)
    }
  }

  async function runAll(group: Member[], apart: boolean): Promise<(() => void)[]> {
    const settle: (() => void)[] = []
    writer.run('BEGIN IMMEDIATE')
    for (const member of group) settle.push(await runMember(member, apart))
    writer.run('COMMIT')
    return settle
  }

  /** A synchronous commit also syncs earlier, relaxed ones. */
  function setWaiting(shouldWait: boolean) {
    if (shouldWait === waitsForDisk) return
    writer.setSynchronous(shouldWait ? 'FULL' : 'NORMAL')
    waitsForDisk = shouldWait
  }

  function checkpointWhenDue() {
    try {
      const [pages] = writer.run<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
      if (pages && pages.log - pages.checkpointed > CHECKPOINT_PAGES) checkpoints.begin()
    } catch {
      // Committed data is safe; the next check may succeed.
    }
  }

  /** Runs one transaction of the group; returns the function that settles its promise after the commit. */
  async function runMember(member: Member, apart: boolean): Promise<() => void> {
    const usesSavepoint = apart && !member.single
    if (usesSavepoint) writer.run('SAVEPOINT member')
    try {
      const outcome = member.work()
      const value = outcome instanceof Promise ? await outcome : outcome
      if (usesSavepoint) writer.run('RELEASE member')
      return () => member.resolve(value as never)
    } catch (error) {
      // A full disk or an I/O error has already rolled back the whole group.
      if (!writer.inTransaction()) throw error
      // Without a savepoint its changes cannot be undone separately.
      if (!apart && !member.single) throw error
      if (usesSavepoint) writer.run('ROLLBACK TO member')
      if (usesSavepoint) writer.run('RELEASE member')
      return () => member.reject(error)
    }
  }

  const tx: Queries = {
    async query(sql, values) {
      if (performance.now() - turnStart > LONGEST_TURN_MS) {
        await new Promise(setImmediate)
        turnStart = performance.now()
      }
      return writer.run(sql, values)
    },
  }

  // The writer keeps its page cache, while a reader loses its own with every commit.
  const query: Database['query'] = async (sql, values) => (writer.inTransaction() ? reader : writer).run(sql, values)

  return {
    engine: 'sqlite',
    query,
    queryLarge<R extends Columns<R> = Row>(sql: string, values?: Value[]) {
      const rows = lastLargeQuery.then(() => new Promise(setImmediate)).then(() => query<R>(sql, values))
      lastLargeQuery = rows.then(
        () => {},
        () => {},
      )
      return rows
    },
    write: (sql, values) => enqueue(() => writer.run(sql, values), { single: true }),
    writeRelaxed: (sql, values) => enqueue(() => writer.run(sql, values), { single: true, durable: false }),
    batch: (statements, options) =>
      enqueue(
        () => {
          for (const { sql, values } of statements) writer.run(sql, values)
        },
        { repeatable: true, ...options },
      ),
    transaction: (work, options) => enqueue(() => work(tx), options),
    async buildIndex(statement) {
      await enqueue(() => writer.run(ifMissing(statement)), { single: true })
      return true
    },
    signal: async (channel, text) => void signals.emit(channel, text),
    onSignal: async (channel, hear) => void signals.on(channel, hear),
    load: () => ({ operations: queue.length, poolSize: null }),
    async measure() {
      const sizeOf = async (file: string) => (await stat(file).catch(() => null))?.size ?? 0
      const [sizeBytes, walBytes] = await Promise.all([sizeOf(path), sizeOf(`${path}-wal`)])
      return { sizeBytes, walBytes }
    },
    async close() {
      while (flushing) await new Promise(setImmediate)
      await checkpoints.close()
      reader.close()
      writer.close()
    },
  }
}

function ifMissing(statement: string): string {
  return statement.replace(/^CREATE INDEX /, 'CREATE INDEX IF NOT EXISTS ')
}

export type SqliteConnection = ReturnType<typeof connectSqlite>

export function connectSqlite(path: string, { readOnly = false } = {}) {
  const database = new DatabaseSync(path, { readOnly, timeout: 5000 })
  // Fallback when the thread cannot keep up: bounds the log under constant writes.
  if (!readOnly) database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = ${LONGEST_LOG_PAGES}`)
  database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY')
  // SQLite's own `lower` handles only ASCII, unlike PostgreSQL's.
  database.function('lower', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text))
  const statementCache = new Lru<Prepared>(MAX_PREPARED)

  function prepare(sql: string) {
    let preparedStatement = statementCache.get(sql)
    if (!preparedStatement) {
      // node:sqlite binds by position only to plain "?", so each $n becomes one, and its value is repeated.
      const order: number[] = []
      // A bare "LIMIT ?" makes SQLite plan the statement again on each run.
      const positional = sql.replace(/(LIMIT )?\$(\d+)/g, (_, limit, index) => {
        order.push(Number(index) - 1)
        return limit ? 'LIMIT ? + 0' : '?'
      })
      const statement = database.prepare(positional)
      // Objects are made from arrays, so that naming their properties costs nothing.
      statement.setReturnArrays(true)
      preparedStatement = { statement, order, properties: propertiesOf(statement) }
      statementCache.set(sql, preparedStatement)
    }
    return preparedStatement
  }

  return {
    run<R extends Columns<R> = Row>(sql: string, values: Value[] = []): R[] {
      try {
        const preparedStatement = prepare(sql)
        const parameters = preparedStatement.order.map((index) => toStorable(values[index] ?? null))
        if (preparedStatement.properties.length === 0) {
          preparedStatement.statement.run(...parameters)
          return []
        }
        const rows = preparedStatement.statement.all(...parameters) as unknown as Value[][]
        // A migration has changed the table of a "SELECT *".
        if (rows[0] && rows[0].length !== preparedStatement.properties.length)
          preparedStatement.properties = propertiesOf(preparedStatement.statement)
        return rows.map((row) => toObject(preparedStatement.properties, row)) as R[]
      } catch (error) {
        throw toStorageError(error)
      }
    },
    inTransaction: () => database.isTransaction,
    // Not prepared: this pragma takes effect when compiled, not when run.
    setSynchronous: (level: 'FULL' | 'NORMAL') => database.exec(`PRAGMA synchronous = ${level}`),
    close: () => database.close(),
  }
}

interface Prepared {
  statement: StatementSync
  order: number[]
  /** One per column; none: the statement returns no rows. */
  properties: string[]
}

function propertiesOf(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => propertyOf(name))
}

function toObject(properties: string[], values: Value[]): Row {
  const row: Row = {}
  for (let index = 0; index < properties.length; index++) row[properties[index] as string] = values[index] as Value
  return row
}

/** Keyed by SQLite's primary result codes. */
const reasons: Record<number, string> = {
  5: 'the database is locked by another program',
  6: 'the database is locked by another program',
  8: 'the database can only be read',
  10: 'the disk cannot be read or written',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
}

function toStorageError(error: unknown): unknown {
  const code = (error as { errcode?: number } | null)?.errcode
  if (code === undefined) return error
  if (code === 2067 || code === 1555) return new StorageError('unique', error)
  if (code === 787) return new StorageError('foreign_key', error)
  const reason = reasons[code & 0xff]
  return reason ? new StorageError('unavailable', error, reason) : error
}

function assertVersion() {
  const version = process.versions.sqlite ?? '0'
  const parts = version.split('.').map(Number)
  for (const [index, least] of MIN_VERSION.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least)
      throw new Error(`SQLite ${MIN_VERSION.join('.')} or later is needed; this Node carries ${version}`)
  }
}

/**
 * Checkpoints copy megabytes and wait for the disk, so they run in a thread, started on first use. If it fails, the
 * writer's own automatic checkpoints take over, at a larger log size.
 */
function openCheckpoints(path: string) {
  let worker: Worker | null = null
  let underWay = false
  let hasFailed = false

  function start(): Worker {
    const thread = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: { path } })
    thread.on('message', () => {
      underWay = false
    })
    thread.on('error', () => {
      hasFailed = true
    })
    // After adding listeners, which would ref the worker again.
    thread.unref()
    return thread
  }

  return {
    /** Starts a checkpoint unless one is running. */
    begin() {
      if (underWay || hasFailed) return
      underWay = true
      worker ??= start()
      worker.postMessage('checkpoint')
    },
    async close() {
      if (!worker || hasFailed) return
      const exit = new Promise((resolve) => worker?.once('exit', resolve))
      worker.ref()
      worker.postMessage('close')
      await exit
    },
  }
}
