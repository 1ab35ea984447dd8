// The storage port: SQL is written once, with $1 parameters, in the part both engines understand.

export type Value = string | number | null | Uint8Array
export type Row = Record<string, Value>

export interface Statement {
  sql: string
  values: Value[]
}

export interface Queries {
  query<R extends Row>(sql: string, values?: Value[]): Promise<R[]>
}

export interface Durability {
  /** If not, it is like `writeRelaxed`: a step of work that ends with a durable write, or one that is safe to repeat. */
  durable: boolean
}

export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** Reads what is committed. */
  query<R extends Row>(sql: string, values?: Value[]): Promise<R[]>
  /** One statement, durable when it resolves. */
  write<R extends Row>(sql: string, values?: Value[]): Promise<R[]>
  /**
   * One statement, seen by all when it resolves, durable with the next write: for a count taken before what it counts.
   * Only a failure of the machine itself can undo it, and then what it counted was not written either.
   */
  writeRelaxed<R extends Row>(sql: string, values?: Value[]): Promise<R[]>
  /** Several statements that do not see each other's effects, all or none, durable when it resolves. */
  batch(statements: Statement[], options?: Durability): Promise<void>
  /** Reads and writes that belong together. Never await anything but `tx` inside: on SQLite all writers wait. */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: Durability): Promise<T>
  /** Tells every node on this database, the own one included. Who does not listen just now never hears of it. */
  signal(channel: string, text: string): Promise<void>
  onSignal(channel: string, hear: (text: string) => void): Promise<void>
  /** What it does just now, without asking it. */
  load(): DatabaseLoad
  /** Remembered for a while where it is work. */
  measure(): Promise<DatabaseSize>
  close(): Promise<void>
}

export interface DatabaseLoad {
  /** Operations that run, or wait for a connection or a commit. */
  operations: number
  /** Null: there is no pool. */
  poolSize: number | null
}

export interface DatabaseSize {
  sizeBytes: number
  /** Of the write-ahead log; null where it is the database server's own. */
  walBytes: number | null
}

/** What the engines differ in when tables are made. */
export interface Dialect {
  /** Appended to tables whose rows live in primary key order. */
  clustered: string
  /** The type of binary columns. */
  blob: string
  /** Run first in the migration's transaction, so that one node migrates at a time and takes the time it needs. */
  first: string[]
}

export type StorageErrorKind = 'unique' | 'foreign_key' | 'unavailable'

export class StorageError extends Error {
  readonly kind: StorageErrorKind
  /** Of what is unavailable, why: a few plain words without names or addresses. */
  readonly reason: string | undefined

  constructor(kind: StorageErrorKind, cause: unknown, reason?: string) {
    super(`storage: ${kind}`, { cause })
    this.name = 'StorageError'
    this.kind = kind
    this.reason = reason
  }
}

export async function first<R extends Row>(rows: Promise<R[]>): Promise<R | undefined> {
  return (await rows)[0]
}

/** PostgreSQL's text cannot hold NUL, and neither engine a lone surrogate; no text of ours needs them. */
export function storable(value: Value): Value {
  if (typeof value !== 'string') return value
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value
  return text.isWellFormed() ? text : text.toWellFormed()
}
