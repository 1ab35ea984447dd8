// Copies the SQLite file before a migration, so that a failed upgrade can be rolled back.
import { existsSync, rmSync } from 'node:fs'
import { makePrivateFile } from '../../private-file.ts'
import type { Migration } from '../migrations/migrations.ts'
import { connectSqlite } from './sqlite.ts'

/** Returns the copy's path; null where there is nothing to copy. */
export function copyBeforeMigration(path: string, migrations: Migration[]): string | null {
  if (!existsSync(path)) return null
  const connection = connectSqlite(path, { readOnly: true })
  try {
    const appliedNumbers = appliedTo(connection)
    if (appliedNumbers.length === 0 || migrations.every((_, index) => appliedNumbers.includes(index + 1))) return null
    const copy = `${path}.schema-${Math.max(...appliedNumbers)}`
    rmSync(copy, { force: true })
    makePrivateFile(copy)
    connection.run('VACUUM INTO $1', [copy])
    return copy
  } finally {
    connection.close()
  }
}

/** Numbers of the migrations. */
function appliedTo(connection: ReturnType<typeof connectSqlite>): number[] {
  const table = connection.run(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`)
  if (table.length === 0) return []
  return connection.run<{ version: number }>('SELECT version FROM schema_migrations').map(({ version }) => version)
}
