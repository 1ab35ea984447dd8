// Copies the SQLite file before a migration, so that a failed upgrade can be rolled back.
import { existsSync, rmSync } from 'node:fs'
import { makePrivateFile } from '../../private-file.ts'
import { SCHEMA_VERSION } from '../migrate.ts'
import { connectSqlite } from './sqlite.ts'

/** Returns the copy's path; null where there is nothing to copy. */
export function copyBeforeMigration(path: string): string | null {
  if (!existsSync(path)) return null
  const connection = connectSqlite(path, { readOnly: true })
  try {
    const version = versionOf(connection)
    if (version === 0 || version >= SCHEMA_VERSION) return null
    const copy = `${path}.schema-${version}`
    rmSync(copy, { force: true })
    makePrivateFile(copy)
    connection.run('VACUUM INTO $1', [copy])
    return copy
  } finally {
    connection.close()
  }
}

function versionOf(connection: ReturnType<typeof connectSqlite>): number {
  const table = connection.run(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`)
  if (table.length === 0) return 0
  const [row] = connection.run<{ version: number }>('SELECT max(version) AS version FROM schema_migrations')
  return Number(row?.version ?? 0)
}
