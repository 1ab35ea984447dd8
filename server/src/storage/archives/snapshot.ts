// A consistent, read-only snapshot of the database, taken while the server runs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Queries } from '../database.ts'
import { openPostgres } from '../engines/postgres.ts'
import { connectSqlite } from '../engines/sqlite.ts'
import { readSchema, type SchemaState } from '../migrate.ts'

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
