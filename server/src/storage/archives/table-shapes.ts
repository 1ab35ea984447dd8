// Table definitions, read from an SQLite database: the same migrations create the tables of both engines.
import type { Row } from '../database.ts'
import type { SqliteConnection } from '../engines/sqlite.ts'

export type ColumnType = 'text' | 'integer' | 'real' | 'blob'

export interface TableShape {
  name: string
  columns: { name: string; type: ColumnType }[]
  /** Primary key columns, in key order. */
  key: string[]
}

interface ColumnRow extends Row {
  name: string
  type: string
  pk: number
}

const types: Record<string, ColumnType> = {
  TEXT: 'text',
  INTEGER: 'integer',
  BIGINT: 'integer',
  'DOUBLE PRECISION': 'real',
  BLOB: 'blob',
}

/** Each table comes after those it references. Without those that describe the database or its servers. */
export function tableShapes(connection: SqliteConnection): TableShape[] {
  const names = connection
    .run<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('schema_migrations', 'nodes', 'docent_archive')
       AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .map(({ name }) => name)
  const ordered = new Set<string>()
  const place = (name: string) => {
    if (ordered.has(name)) return
    const parents = connection.run<{ table: string }>('SELECT "table" FROM pragma_foreign_key_list($1)', [name])
    for (const { table } of parents) if (table !== name) place(table)
    ordered.add(name)
  }
  for (const name of names) place(name)
  return [...ordered].map((name) => {
    const columns = connection.run<ColumnRow>('SELECT name, type, pk FROM pragma_table_info($1)', [name])
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
    return {
      name,
      columns: columns.map((column) => ({ name: column.name, type: typeOf(column.type) })),
      key: key.map((column) => column.name),
    }
  })
}

function typeOf(declared: string): ColumnType {
  const type = types[declared.toUpperCase()]
  if (!type) throw new Error(`Unknown column type ${declared}.`)
  return type
}
