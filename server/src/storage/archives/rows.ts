// Copies rows between databases of either engine, in key order and in batches.

import { columnOf, propertyOf, type Queries, type Row, type Value } from '../database.ts'
import type { SqliteConnection } from '../engines/sqlite.ts'
import { writeMany } from '../statements.ts'

const ROWS_AT_ONCE = 256
// Files and vectors can be large.
const BLOB_ROWS_AT_ONCE = 8

export type OnRows = (table: string, rows: number) => void

/** `equal`: only rows with these values. `after`: only rows with a greater key. */
export async function* readRows(
  from: Queries,
  table: TableShape,
  { equal = {}, after }: { equal?: Record<string, Value>; after?: Value[] } = {},
): AsyncGenerator<Row[]> {
  const hasBlobs = table.columns.some(({ type }) => type === 'blob')
  const most = hasBlobs ? BLOB_ROWS_AT_ONCE : ROWS_AT_ONCE
  const values = Object.values(equal).filter((value) => value !== null)
  let number = 0
  const conditions = Object.entries(equal).map(([property, value]) =>
    value === null ? `${columnOf(property)} IS NULL` : `${columnOf(property)} = $${++number}`,
  )
  const columns = table.columns.map(({ name }) => name).join(', ')
  const key = table.key.join(', ')
  const later = `(${key}) > (${table.key.map((_, index) => `$${number + index + 1}`).join(', ')})`
  for (let last = after; ; ) {
    const where = [...conditions, ...(last ? [later] : [])].join(' AND ')
    const rows = await from.query(
      `SELECT ${columns} FROM ${table.name} ${where ? `WHERE ${where}` : ''} ORDER BY ${key} LIMIT ${most}`,
      [...values, ...(last ?? [])],
    )
    if (rows.length > 0) yield rows
    if (rows.length < most) return
    last = keyOf(table, rows.at(-1) as Row)
  }
}

export async function insertRows(to: Queries, table: TableShape, rows: Row[]): Promise<void> {
  const names = table.columns.map(({ name }) => name)
  const lists = rows.map((row) => table.columns.map(({ property }) => row[property] ?? null))
  await writeMany(to, `INSERT INTO ${table.name} (${names.join(', ')}) VALUES {rows}`, lists)
}

/** Copies all rows of all tables. Returns the row count per table. */
export async function copyTables(from: Queries, to: Queries, tables: TableShape[], onRows: OnRows) {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    let count = 0
    for await (const rows of readRows(from, table)) {
      requireTypes(table, rows)
      await insertRows(to, table, rows)
      count += rows.length
      onRows(table.name, rows.length)
    }
    counts[table.name] = count
  }
  return counts
}

export async function countRows(queries: Queries, tables: TableShape[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await queries.query<{ n: number }>(`SELECT count(*) AS n FROM ${name}`)
    counts[name] = row?.n ?? 0
  }
  return counts
}

export function keyOf(table: TableShape, row: Row): Value[] {
  return table.key.map((column) => row[propertyOf(column)] ?? null)
}

/** SQLite accepts any value in any column; PostgreSQL and the code that reads it do not. */
function requireTypes(table: TableShape, rows: Row[]) {
  for (const row of rows)
    for (const { name, property, type } of table.columns)
      if (!fits(row[property] ?? null, type))
        throw new Error(`The table ${table.name} has a value in "${name}" that is not of type ${type}.`)
}

function fits(value: Value, type: ColumnType): boolean {
  if (value === null) return true
  if (type === 'blob') return value instanceof Uint8Array
  if (type === 'text') return typeof value === 'string'
  return typeof value === 'number' && (type === 'real' || Number.isInteger(value))
}

// Table definitions, read from an SQLite database: the same migrations create the tables of both engines.

type ColumnType = 'text' | 'integer' | 'real' | 'blob'

export interface TableShape {
  name: string
  /** `property`: its name in a row. */
  columns: { name: string; property: string; type: ColumnType }[]
  /** Primary key columns, in key order. */
  key: string[]
}

interface ColumnRow {
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
  const orderedNames = new Set<string>()
  const place = (name: string) => {
    if (orderedNames.has(name)) return
    const parents = connection.run<{ table: string }>('SELECT "table" FROM pragma_foreign_key_list($1)', [name])
    for (const { table } of parents) if (table !== name) place(table)
    orderedNames.add(name)
  }
  for (const name of names) place(name)
  return [...orderedNames].map((name) => {
    const columns = connection.run<ColumnRow>('SELECT name, type, pk FROM pragma_table_info($1)', [name])
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
    return {
      name,
      columns: columns.map(({ name, type }) => ({ name, property: propertyOf(name), type: typeOf(type) })),
      key: key.map((column) => column.name),
    }
  })
}

function typeOf(declaredType: string): ColumnType {
  const type = types[declaredType.toUpperCase()]
  if (!type) throw new Error(`Unknown column type ${declaredType}.`)
  return type
}
