// Loads a whole instance into an empty PostgreSQL database, all or nothing.
import type { Queries } from '../database.ts'
import { openPostgres, postgresDialect } from '../engines/postgres.ts'
import { applyMigrations } from '../migrate.ts'
import type { ArchiveDatabase } from './archive-database.ts'
import { copyTables, countRows, type OnRows } from './copy-rows.ts'

export async function fillPostgres(url: string, from: ArchiveDatabase, now: number, onRows: OnRows) {
  const database = openPostgres(url, 1)
  try {
    await database.transaction(async (tx) => {
      await applyMigrations(tx, postgresDialect, now)
      await requireEmpty(tx)
      const copied = await copyTables(from, tx, from.tables, onRows)
      const stored = await countRows(tx, from.tables)
      for (const [table, count] of Object.entries(copied))
        if (stored[table] !== count)
          throw new Error(`The table ${table} has ${stored[table]} rows instead of ${count}.`)
    })
  } finally {
    await database.close()
  }
}

/** Every instance that was ever started has a workspace. */
export async function requireEmpty(tx: Queries) {
  const rows = await tx.query('SELECT id FROM workspaces LIMIT 1')
  if (rows.length > 0)
    throw new Error(
      'The database in DATABASE_URL has data of an instance already. Name an empty one; nothing was changed.',
    )
}
