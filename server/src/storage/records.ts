// Turns rows into records, for the columns whose value in SQL is not the field's.
import type { Stored, Value } from './database.ts'

const conversions = {
  /** 0 or 1. */
  flag: (value: Value) => (value === null ? null : value === 1),
  json: (value: Value) => (value === null ? null : JSON.parse(value as string)),
  /** JSON; NULL is the empty list. */
  list: (value: Value) => (value === null ? [] : JSON.parse(value as string)),
  /** ",a,b,", so that LIKE finds each. */
  set: (value: Value) => (value === null ? null : (value as string).slice(1, -1).split(',')),
}

type Conversion<T> = [T] extends [boolean] ? 'flag' : Exclude<keyof typeof conversions, 'flag'>

/** A conversion for each field that a row cannot hold as it is. */
type Conversions<T> = {
  [Field in keyof T as [NonNullable<T[Field]>] extends [Value] ? never : Field]-?: Conversion<NonNullable<T[Field]>>
}

/** The compiler names the fields that are missing. */
export function makeFromRow<T extends object>(fields: Conversions<T>): (row: Stored<T>) => T {
  const converted = Object.entries(fields).map(
    ([field, name]) => [field, conversions[name as keyof typeof conversions]] as const,
  )
  return (row) => {
    const record: Record<string, unknown> = { ...row }
    for (const [field, convert] of converted) record[field] = convert(record[field] as Value)
    return record as T
  }
}
