// The storage port: SQL is written once, with $1 parameters, in the subset both engines understand.
export type Value = string | number | null | Uint8Array

/**
 * A row's columns by their names in code: the engines turn `created_at` into `createdAt`, and nothing else. Values stay as
 * SQL holds them (flags 0 or 1, lists and objects as JSON), and the file of their table says what they mean.
 */
export type Row = Record<string, Value>

/** A record as a row holds it. */
export type Stored<T> = { [Field in keyof T]: StoredValue<NonNullable<T[Field]>> | Extract<T[Field], null> }
type StoredValue<T> = [T] extends [boolean] ? number : [T] extends [Value] ? T : string

/** An interface that holds nothing but values. */
export type Columns<R> = { [Field in keyof R]: Value }

export interface Statement {
  sql: string
  values: Value[]
}

export interface Queries {
  query<R extends Columns<R> = Row>(sql: string, values?: Value[]): Promise<R[]>
}

interface Durability {
  /** False: like `writeRelaxed`, for steps that are safe to repeat or that end with a durable write. */
  durable: boolean
}

export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** Reads committed data. */
  query<R extends Columns<R> = Row>(sql: string, values?: Value[]): Promise<R[]>
  /** The same for values of megabytes: SQLite reads them on the event loop, so only one in each of its turns. */
  queryLarge<R extends Columns<R> = Row>(sql: string, values?: Value[]): Promise<R[]>
  /** One statement, durable when it resolves. */
  write<R extends Columns<R> = Row>(sql: string, values?: Value[]): Promise<R[]>
  /**
   * One statement, visible when it resolves and durable with the next write: for counting a call before making it.
   * Only a machine failure can undo it, and then the counted work was not written either.
   */
  writeRelaxed<R extends Columns<R> = Row>(sql: string, values?: Value[]): Promise<R[]>
  /** Several statements that do not see each other's effects, all or nothing, durable when it resolves. */
  batch(statements: Statement[], options?: Durability): Promise<void>
  /** Reads and writes that belong together. Await only `tx` inside: on SQLite all other writers wait. */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: Durability): Promise<T>
  /** `CREATE INDEX` without making writers wait, however long it takes. False: to be tried again later. */
  buildIndex(statement: string): Promise<boolean>
  /** Notifies every node on this database, including this one. Not stored: nodes that are not listening miss it. */
  signal(channel: string, text: string): Promise<void>
  onSignal(channel: string, hear: (text: string) => void): Promise<void>
  /** Current load, without a query. */
  load(): DatabaseLoad
  /** Cached for a while where it is expensive. */
  measure(): Promise<DatabaseSize>
  close(): Promise<void>
}

interface DatabaseLoad {
  /** Operations running, or waiting for a connection or commit. */
  operations: number
  /** Null: no pool. */
  poolSize: number | null
}

interface DatabaseSize {
  sizeBytes: number
  /** Size of the write-ahead log; null where the database server manages it. */
  walBytes: number | null
}

/** Differences between the engines' DDL. */
export interface Dialect {
  /** Appended to tables whose rows are stored in primary key order. */
  clustered: string
  /** Type of binary columns. */
  blob: string
  /** Appended to text that is to be ordered by its bytes. */
  binary: string
  /** Runs first in a migration's transaction: one node migrates at a time, however long it takes. */
  first: string[]
  /** Whether indexes are built with the migration, since nobody else writes meanwhile. */
  indexesAtOnce: boolean
  /** Lists the tables that lose rows when the table $1 is dropped; null: the engine refuses to drop it then. */
  cascadesFrom: string | null
}

type StorageErrorKind = 'unique' | 'foreign_key' | 'unavailable'

export class StorageError extends Error {
  readonly kind: StorageErrorKind
  /** Why it is unavailable, in plain words without names or addresses. */
  readonly reason: string | undefined

  constructor(kind: StorageErrorKind, cause: unknown, reason?: string) {
    super(`storage: ${kind}`, { cause })
    this.name = 'StorageError'
    this.kind = kind
    this.reason = reason
  }
}

export async function first<R>(rows: Promise<R[]>): Promise<R | undefined> {
  return (await rows)[0]
}

/** `created_at` → `createdAt` */
export function propertyOf(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** `createdAt` → `created_at` */
export function columnOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** PostgreSQL's text cannot hold NUL, and neither engine a lone surrogate. */
export function toStorable(value: Value): Value {
  if (typeof value !== 'string') return value
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value
  return text.isWellFormed() ? text : text.toWellFormed()
}

// Turns rows into records, for the columns whose value in SQL is not the field's.

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

// Each failed attempt means that another writer succeeded.
const MAX_ATTEMPTS = 20

/**
 * For a change that is written only over the state it was derived from: `attempt` reads, decides and writes, and returns
 * null when somebody else wrote meanwhile. Returns null if that happened on every attempt.
 */
export async function retryWhenChanged<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const result = await attempt()
    if (result !== null) return result
  }
  return null
}
