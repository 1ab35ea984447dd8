// The database inside an archive: the server's tables on SQLite, plus a manifest.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFile } from '../../private-file.ts'
import type { Queries } from '../database.ts'
import { openPostgres } from '../engines/postgres.ts'
import { connectSqlite, type SqliteConnection, sqliteDialect } from '../engines/sqlite.ts'
import { applyMigrations, readSchema, type SchemaState } from '../migrations/migrate.ts'
import { migrations, SCHEMA_VERSION } from '../migrations/migrations.ts'
import { copyTables, countRows, type OnRows, type TableShape, tableShapes } from './rows.ts'

const FORMAT = 1

const ARCHIVE_KINDS = ['backup', 'bot', 'workspace'] as const
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number]

export interface Manifest {
  format: number
  kind: ArchiveKind
  /** Docent's version. */
  version: string
  schema: number
  /** Numbers of the migrations that its tables have. */
  migrations: number[]
  created_at: string
  /** Row count per table. */
  rows: Record<string, number>
  /** Files of the data folder, if the backup includes them. */
  secrets: Record<string, string>
}

export type NewManifest = Pick<Manifest, 'kind' | 'version' | 'created_at' | 'secrets'>

export interface ArchiveDatabase extends Queries {
  tables: TableShape[]
  /** Writes the manifest and closes the file. */
  finish(manifest: NewManifest): Promise<Manifest>
  /** Closes it as a plain server database. */
  finishPlain(): void
  close(): void
}

const EVERY = migrations.map((_, index) => index + 1)

/** Creates the tables that these migrations make, without rows. */
export async function createArchiveDatabase(path: string, now: number, appliedVersions = EVERY) {
  if (path !== ':memory:') makePrivateFile(path)
  const connection = connectSqlite(path)
  try {
    // No other reader, and discarded on any failure: no WAL needed.
    connection.run('PRAGMA journal_mode = DELETE')
    connection.run('PRAGMA synchronous = OFF')
    connection.run('BEGIN')
    await applyMigrations(queriesOf(connection), sqliteDialect, now, appliedVersions)
    return toArchiveDatabase(connection, appliedVersions, now)
  } catch (error) {
    connection.close()
    throw error
  }
}

function toArchiveDatabase(connection: SqliteConnection, appliedVersions: number[], now: number) {
  const queries = queriesOf(connection)
  const tables = tableShapes(connection)
  let isOpen = true
  const close = () => {
    if (isOpen) connection.close()
    isOpen = false
  }

  const archive: ArchiveDatabase = {
    ...queries,
    tables,
    async finish(about) {
      const rows = await countRows(queries, tables)
      const manifest: Manifest = {
        ...about,
        format: FORMAT,
        schema: Math.max(...appliedVersions),
        migrations: appliedVersions,
        rows,
      }
      connection.run('CREATE TABLE docent_archive (name TEXT PRIMARY KEY, value TEXT NOT NULL)')
      connection.run('INSERT INTO docent_archive (name, value) VALUES ($1, $2)', ['manifest', JSON.stringify(manifest)])
      connection.run('COMMIT')
      close()
      return manifest
    },
    finishPlain() {
      connection.run('COMMIT')
      close()
    },
    close,
  }

  return {
    ...archive,
    /** Migrates to the current schema, once its rows are in. */
    async upgrade(): Promise<ArchiveDatabase> {
      if (EVERY.every((version) => appliedVersions.includes(version))) return archive
      await applyMigrations(queries, sqliteDialect, now)
      return toArchiveDatabase(connection, EVERY, now)
    },
  }
}

/**
 * Reads an untrusted database: checks its rows and copies them into a new one at `freshPath`, migrated to the current
 * schema. Nothing else in the file is used.
 */
export async function rebuildArchive(path: string, freshPath: string, now: number, onRows: OnRows) {
  const untrustedArchive = connectSqlite(path, { readOnly: true })
  try {
    untrustedArchive.run('PRAGMA trusted_schema = OFF')
    untrustedArchive.run('PRAGMA cell_size_check = ON')
    const manifest = readManifest(untrustedArchive)
    requireTablesOnly(untrustedArchive)
    const fresh = await createArchiveDatabase(freshPath, now, manifest.migrations)
    try {
      const counts = await copyTables(queriesOf(untrustedArchive), fresh, fresh.tables, onRows)
      for (const [table, count] of Object.entries(counts))
        if (count !== manifest.rows[table]) throw new Error(`The table ${table} is not complete.`)
      return { manifest, database: await fresh.upgrade() }
    } catch (error) {
      fresh.close()
      throw error
    }
  } finally {
    untrustedArchive.close()
  }
}

function readManifest(connection: SqliteConnection): Manifest {
  const [row] = connection.run<{ value: string }>(`SELECT value FROM docent_archive WHERE name = 'manifest'`)
  const manifest = JSON.parse(row?.value ?? 'null') as Partial<Manifest> | null
  if (typeof manifest?.format !== 'number') throw new Error('It has no manifest.')
  if (manifest.format > FORMAT || Number(manifest.schema) > SCHEMA_VERSION)
    throw new Error(`It was made by a newer version of Docent (${String(manifest.version)}). Install that one first.`)
  const isWhole =
    Number.isInteger(manifest.schema) &&
    Array.isArray(manifest.migrations) &&
    manifest.migrations.includes(manifest.schema as number) &&
    manifest.migrations.every((version) => EVERY.includes(version)) &&
    ARCHIVE_KINDS.some((kind) => kind === manifest.kind) &&
    isObject(manifest.rows) &&
    isObject(manifest.secrets) &&
    Object.values(manifest.secrets).every((secret) => typeof secret === 'string')
  if (!isWhole) throw new Error('Its manifest is not complete.')
  return manifest as Manifest
}

/** A view or trigger could run code while rows are read. */
function requireTablesOnly(connection: SqliteConnection) {
  const others = connection.run(
    `SELECT name FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'`,
  )
  if (others.length > 0) throw new Error('It has more in it than tables.')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function queriesOf(connection: SqliteConnection): Queries {
  return { query: async (sql, values) => connection.run(sql, values) }
}

// A consistent, read-only snapshot of the database, taken while the server runs.

export interface DatabaseLocation {
  dataDir: string
  databaseUrl: string | null
}

export interface Snapshot extends Queries {
  schema: SchemaState
}

export async function readSnapshot<T>(
  location: DatabaseLocation,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return location.databaseUrl ? readPostgres(location.databaseUrl, read) : readSqlite(location.dataDir, read)
}

async function readSqlite<T>(dataDir: string, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const path = join(dataDir, 'docent.sqlite')
  if (!existsSync(path)) throw new Error(`There is no database in ${dataDir}. Set DATA_DIR, or DATABASE_URL.`)
  const connection = connectSqlite(path, { readOnly: true })
  try {
    connection.run('BEGIN')
    const query: Queries['query'] = async (sql, values) => connection.run(sql, values)
    return await read({ query, schema: await readSchema({ query }) })
  } finally {
    connection.close()
  }
}

async function readPostgres<T>(url: string, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const database = openPostgres(url, 1)
  try {
    return await database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await tx.query('SET LOCAL statement_timeout = 0')
      return read({ query: tx.query, schema: await readSchema(tx) })
    })
  } finally {
    await database.close()
  }
}
