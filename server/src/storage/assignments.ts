import type { Row, Statement, Value } from './database.ts'

/**
 * SET clauses for the given fields only, so that concurrent changes of different fields do not undo each other.
 * Null when there is nothing to set.
 */
export function assignments<Change extends { [Field in keyof Change]?: Value | undefined }>(
  table: string,
  key: Row,
  columns: Record<keyof Change, string>,
  change: Change,
): Statement | null {
  const given = (Object.keys(columns) as (keyof Change)[]).flatMap((field) => {
    const value: Value | undefined = change[field]
    return value === undefined ? [] : [{ column: columns[field], value }]
  })
  if (given.length === 0) return null
  const keyed = Object.entries(key)
  const where = keyed.map(([column], index) => `${column} = $${index + 1}`).join(' AND ')
  const set = given.map(({ column }, index) => `${column} = $${keyed.length + index + 1}`).join(', ')
  return {
    sql: `UPDATE ${table} SET ${set} WHERE ${where}`,
    values: [...keyed.map(([, value]) => value), ...given.map(({ value }) => value)],
  }
}
