// Multi-row statements, in a few fixed sizes so that each is prepared only once.
import { type Columns, columnOf, type Queries, type Row, type Statement, type Value } from './database.ts'

const SIZES = [64, 16, 4, 1]

const statements = new Map<string, Map<number, string>>()

/** `sql` contains `{rows}` where the values go: "INSERT INTO … VALUES {rows} …". */
export function* bulkStatements(sql: string, rows: readonly Value[][]): Generator<Statement> {
  const width = rows[0]?.length ?? 0
  for (const piece of pieces(rows)) {
    const statement = statementOf(sql, piece.length, () => {
      const places = piece.map((_, row) => `(${numbers(row * width, width)})`)
      return sql.replace('{rows}', places.join(', '))
    })
    yield { sql: statement, values: piece.flat() }
  }
}

export async function writeMany(tx: Queries, sql: string, rows: readonly Value[][]): Promise<void> {
  for (const statement of bulkStatements(sql, rows)) await tx.query(statement.sql, statement.values)
}

/** `sql` contains "IN ({list})"; `values` are numbered before the list. */
export async function queryMany<R extends Columns<R> = Row>(
  tx: Queries,
  sql: string,
  values: Value[],
  list: readonly string[],
): Promise<R[]> {
  const rows: R[] = []
  for (const piece of pieces(list)) {
    const statement = statementOf(sql, piece.length, () => sql.replace('{list}', numbers(values.length, piece.length)))
    rows.push(...(await tx.query<R>(statement, [...values, ...piece])))
  }
  return rows
}

function* pieces<T>(list: readonly T[]): Generator<T[]> {
  let start = 0
  for (const size of SIZES) {
    for (; list.length - start >= size; start += size) yield list.slice(start, start + size)
  }
}

function statementOf(sql: string, size: number, make: () => string): string {
  const bySize = statements.get(sql) ?? new Map<number, string>()
  const statement = bySize.get(size) ?? make()
  if (!bySize.has(size)) statements.set(sql, bySize.set(size, statement))
  return statement
}

/** numbers(2, 3) is "$3, $4, $5". */
function numbers(offset: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `$${offset + index + 1}`).join(', ')
}

/**
 * SET clauses for the given fields only, so that concurrent changes of different fields do not undo each other.
 * Null when there is nothing to set.
 */
export function assignments<Change extends { [Field in keyof Change]?: Value | undefined }>(
  table: string,
  key: Row,
  fields: readonly (keyof Change & string)[],
  change: Change,
): Statement | null {
  const changedColumns = fields.flatMap((field) => {
    const value: Value | undefined = change[field]
    return value === undefined ? [] : [{ column: columnOf(field), value }]
  })
  if (changedColumns.length === 0) return null
  const keyFields = Object.entries(key)
  const where = keyFields.map(([field], index) => `${columnOf(field)} = $${index + 1}`).join(' AND ')
  const set = changedColumns.map(({ column }, index) => `${column} = $${keyFields.length + index + 1}`).join(', ')
  return {
    sql: `UPDATE ${table} SET ${set} WHERE ${where}`,
    values: [...keyFields.map(([, value]) => value), ...changedColumns.map(({ value }) => value)],
  }
}

// Small batches, so that nobody waits long for the database.

const AT_ONCE = 300

interface Options {
  most?: number
  /** Checked between batches. */
  isStopping?: () => boolean
}

/** Repeats a batch operation until no rows are left. Returns the total. */
export async function inBatches(
  change: (most: number) => Promise<number>,
  { most = AT_ONCE, isStopping = () => false }: Options = {},
): Promise<number> {
  let total = 0
  for (let count = most; count === most && !isStopping(); total += count) {
    count = await change(most)
    await new Promise(setImmediate)
  }
  return total
}
