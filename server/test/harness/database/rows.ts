// Reads and changes the database directly, bypassing the server, through a separate connection.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import type { TestDatabase } from './databases.ts'

type Row = Record<string, unknown>

export async function queryRows(database: TestDatabase, query: string, { readOnly = true } = {}): Promise<Row[]> {
  if (database.databaseUrl) {
    const sql = postgres(database.databaseUrl, { max: 1, onnotice: () => {} })
    try {
      return [...(await sql.unsafe(query))]
    } finally {
      await sql.end()
    }
  }
  const file = new DatabaseSync(join(database.dataDir, 'docent.sqlite'), { readOnly, timeout: 10_000 })
  try {
    return file.prepare(query).all() as Row[]
  } finally {
    file.close()
  }
}

export async function runStatement(database: TestDatabase, statement: string): Promise<void> {
  await queryRows(database, statement, { readOnly: false })
}

export async function countRows(database: TestDatabase, table: string): Promise<number> {
  const [row] = await queryRows(database, `SELECT count(*) AS n FROM ${table}`)
  return Number(row?.n)
}

export async function tableNames(database: TestDatabase): Promise<string[]> {
  const query = database.databaseUrl
    ? `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`
    : `SELECT name FROM sqlite_schema WHERE type = 'table'`
  return (await queryRows(database, query)).map(({ name }) => String(name))
}
