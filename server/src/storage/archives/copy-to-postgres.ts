// Copies an SQLite folder to an empty PostgreSQL database in batches. Progress is stored with each batch, so that an
// interrupted copy resumes; no server starts on the copy until every row has been compared.
import { join } from 'node:path'
import type { Database, Queries, Row, Value } from '../database.ts'
import { lockFolder } from '../engines/folder-lock.ts'
import { openPostgres, postgresDialect } from '../engines/postgres.ts'
import { connectSqlite } from '../engines/sqlite.ts'
import { COPY_PROGRESS, readInstanceValue } from '../instance.ts'
import { applyMigrations, readSchema, requireKnown } from '../migrations/migrate.ts'
import { openDatabase } from '../storage.ts'
import type { ArchiveDatabase } from './archive.ts'
import {
  copyTables,
  countRows,
  insertRows,
  keyOf,
  type OnRows,
  readRows,
  type TableShape,
  tableShapes,
} from './rows.ts'

interface CopyOptions {
  dataDir: string
  databaseUrl: string
  /** Discards the progress of an earlier run. */
  restart: boolean
  /** Checks the source before anything is copied. */
  check: (source: Queries) => Promise<void>
  onCopied: OnRows
  onCompared: OnRows
  now: number
}

interface Progress {
  table: string
  after: Value[] | null
}

export async function copyToPostgres(options: CopyOptions): Promise<Record<string, number>> {
  const { dataDir, databaseUrl, now } = options
  const unlock = lockFolder(dataDir)
  try {
    // Migrate both to the current schema.
    await (await openDatabase({ dataDir, databaseUrl: null, databasePoolSize: 1 }, now)).close()
    const source = connectSqlite(join(dataDir, 'docent.sqlite'), { readOnly: true })
    const target = await openDatabase({ dataDir, databaseUrl, databasePoolSize: 2 }, now)
    try {
      const from: Queries = { query: async (sql, values) => source.run(sql, values) }
      requireKnown(await readSchema(from))
      await options.check(from)
      const tables = tableShapes(source)
      await copyAll(from, target, tables, options)
      const counts = await compareAll(from, target, tables, options.onCompared)
      await target.write('DELETE FROM instance_values WHERE name = $1', [COPY_PROGRESS])
      return counts
    } finally {
      source.close()
      await target.close()
    }
  } finally {
    unlock()
  }
}

async function copyAll(from: Queries, target: Database, tables: TableShape[], { restart, onCopied }: CopyOptions) {
  const progress = await begin(target, tables, restart)
  const start = tables.findIndex(({ name }) => name === progress.table)
  for (const table of tables.slice(start)) {
    const after = table.name === progress.table && progress.after ? { after: progress.after } : {}
    for await (const rows of readRows(from, table, after)) {
      await target.transaction(async (tx) => {
        await insertRows(tx, table, rows)
        await saveProgress(tx, { table: table.name, after: keyOf(table, rows.at(-1) as Row) })
      })
      onCopied(table.name, rows.length)
    }
  }
}

async function begin(target: Database, tables: TableShape[], restart: boolean): Promise<Progress> {
  const first: Progress = { table: tables[0]?.name ?? '', after: null }
  return target.transaction(async (tx) => {
    const storedProgress = await readInstanceValue(tx, COPY_PROGRESS)
    if (storedProgress && !restart) return JSON.parse(storedProgress) as Progress
    if (storedProgress) for (const { name } of tables.toReversed()) await tx.query(`DELETE FROM ${name}`)
    else await requireEmpty(tx)
    await saveProgress(tx, first)
    return first
  })
}

async function saveProgress(tx: Queries, progress: Progress) {
  await tx.query(
    'INSERT INTO instance_values (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2',
    [COPY_PROGRESS, JSON.stringify(progress)],
  )
}

async function compareAll(from: Queries, target: Queries, tables: TableShape[], onCompared: OnRows) {
  const storedCounts = await countRows(target, tables)
  // Minus the row that stores the progress.
  storedCounts.instance_values = (storedCounts.instance_values ?? 1) - 1
  const counts = await countRows(from, tables)
  for (const table of tables) {
    if (counts[table.name] !== storedCounts[table.name]) throw differenceError(table)
    for await (const rows of readRows(from, table)) {
      const copies = new Map((await rowsWithKeys(target, table, rows)).map((row) => [keyText(table, row), row]))
      for (const row of rows) {
        const copy = copies.get(keyText(table, row))
        if (!copy || table.columns.some(({ property }) => !same(row[property] ?? null, copy[property] ?? null)))
          throw differenceError(table)
      }
      onCompared(table.name, rows.length)
    }
  }
  return counts
}

async function rowsWithKeys(target: Queries, table: TableShape, rows: Row[]): Promise<Row[]> {
  let number = 0
  const lists = rows.map(() => `(${table.key.map(() => `$${++number}`).join(', ')})`)
  const columns = table.columns.map(({ name }) => name).join(', ')
  return target.query(
    `SELECT ${columns} FROM ${table.name} WHERE (${table.key.join(', ')}) IN (${lists.join(', ')})`,
    rows.flatMap((row) => keyOf(table, row)),
  )
}

function keyText(table: TableShape, row: Row): string {
  return JSON.stringify(keyOf(table, row))
}

function same(a: Value, b: Value): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return a === b
}

function differenceError({ name }: TableShape): Error {
  return new Error(
    `The table ${name} is not the same in both: the SQLite database was changed since the copy began. Run it again with --restart.`,
  )
}

// Loads a whole instance into an empty PostgreSQL database, all or nothing.

export async function fillPostgres(url: string, from: ArchiveDatabase, now: number, onRows: OnRows) {
  const database = openPostgres(url, 1)
  try {
    await database.transaction(async (tx) => {
      await applyMigrations(tx, postgresDialect, now)
      await requireEmpty(tx)
      const copiedCounts = await copyTables(from, tx, from.tables, onRows)
      const storedCounts = await countRows(tx, from.tables)
      for (const [table, count] of Object.entries(copiedCounts))
        if (storedCounts[table] !== count)
          throw new Error(`The table ${table} has ${storedCounts[table]} rows instead of ${count}.`)
    })
  } finally {
    await database.close()
  }
}

/** Every instance that was ever started has a workspace. */
async function requireEmpty(tx: Queries) {
  const rows = await tx.query('SELECT id FROM workspaces LIMIT 1')
  if (rows.length > 0)
    throw new Error(
      'The database in DATABASE_URL has data of an instance already. Name an empty one; nothing was changed.',
    )
}
