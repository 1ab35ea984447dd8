// Brings the tables to this version's schema by expanding and contracting them (docs/decisions/0020-upgrades.md). Each
// migration is a transaction of its own, on one node at a time, so that other nodes wait for one table only briefly.
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Dialect, type Queries, type Row, StorageError } from '../database.ts'
import { migrations as all, contractingStatement, type Migration, SCHEMA_VERSION } from './migrations.ts'

const LOCK_TIMEOUT = '55P03'
const RETRY_MS = 500
const LONGEST_WAIT_MS = 300_000
/** A node that was not seen for this long has ended. */
export const NODE_GONE_MS = 60_000

/** What has been done to a database. */
export interface SchemaState {
  /** Numbers of the migrations. */
  applied: number[]
  /** The newest of them; 0: there are no tables. */
  version: number
  /** Versions that do not know this schema cannot use the database any more. */
  leastSchema: number
}

/** A running server. */
export interface NodeName {
  id: string
  version: string
}

/** `node`: registers the caller, so that what it uses is not removed. */
export async function migrate(
  database: Database,
  dialect: Dialect,
  now: number,
  { node, migrations = all }: { node?: NodeName | undefined; migrations?: Migration[] } = {},
): Promise<void> {
  requireAdditive(migrations)
  let isDone = false
  let isEmpty = false
  while (!isDone)
    isDone = await whenUnlocked(() =>
      database.transaction(async (tx) => {
        const state = await prepare(tx, dialect)
        requireUsable(state, migrations)
        isEmpty ||= state.version === 0
        const [next, ...others] = pendingOf(state, migrations, await runningSchemas(tx, database, state, now))
        if (next) await apply(tx, dialect, next, now, { isEmpty })
        if (next && others.length > 0) return false
        if (node) await registerNode(tx, node, migrations.length, now)
        return true
      }),
    )
}

/** Runs all pending migrations within a transaction: for a database that nobody uses yet. */
export async function applyMigrations(tx: Queries, dialect: Dialect, now: number, versions?: number[]) {
  const state = await prepare(tx, dialect)
  requireUsable(state, all)
  for (const pending of pendingOf(state, all, []))
    if (!versions || versions.includes(pending.version)) await apply(tx, dialect, pending, now, { isEmpty: true })
}

/**
 * What need not be done before a start: building large indexes, and removing what no running node uses. Returns what
 * is left to do later.
 */
export async function finishUpgrade(
  database: Database,
  dialect: Dialect,
  now: number,
  { migrations = all }: { migrations?: Migration[] } = {},
): Promise<string[]> {
  const unfinishedSteps: string[] = []
  const { applied: appliedVersions } = await readSchema(database)
  for (const version of appliedVersions) {
    const migration = migrations[version - 1]
    for (const statement of (migration && 'expand' in migration && migration.indexes) || [])
      if (!(await database.buildIndex(fill(statement, dialect)))) unfinishedSteps.push(`index of "${migration?.name}"`)
  }
  await migrate(database, dialect, now, { migrations })
  const after = await readSchema(database)
  for (const { version, name } of numberMigrations(migrations))
    if (!after.applied.includes(version)) unfinishedSteps.push(`"${name}", because older nodes are running`)
  return unfinishedSteps
}

/** Requires the migrations table. */
export async function readSchema(queries: Queries): Promise<SchemaState> {
  const rows = await queries
    .query<{ version: number; leastSchema: number }>('SELECT version, least_schema FROM schema_migrations')
    .catch((error: unknown) => {
      if (error instanceof StorageError) throw error
      throw new Error('This database was made before the first version of Docent, or is not one of Docent’s.', {
        cause: error,
      })
    })
  const appliedVersions = rows.map(({ version }) => version).toSorted((a, b) => a - b)
  return {
    applied: appliedVersions,
    version: appliedVersions.at(-1) ?? 0,
    leastSchema: Math.max(0, ...rows.map((row) => row.leastSchema)),
  }
}

export async function registerNode(queries: Queries, { id, version }: NodeName, schema: number, now: number) {
  await queries.query('DELETE FROM nodes WHERE seen_at < $1', [now - 60 * NODE_GONE_MS])
  await queries.query(
    `INSERT INTO nodes (id, version, schema, seen_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET seen_at = $4`,
    [id, version, schema, now],
  )
}

type Numbered = Migration & { version: number }

function numberMigrations(migrations: Migration[]): Numbered[] {
  return migrations.map((migration, index) => ({ ...migration, version: index + 1 }))
}

function requireAdditive(migrations: Migration[]) {
  for (const migration of migrations) {
    const problem = 'expand' in migration ? contractingStatement(migration) : null
    if (problem)
      throw new Error(`The migration "${migration.name}" would break nodes of the previous version: ${problem}`)
  }
}

/** A newer schema that was only expanded is usable: so a node of the previous version can start again. */
function requireUsable({ leastSchema, version }: SchemaState, migrations: Migration[]) {
  if (leastSchema > migrations.length)
    throw new Error(
      `The database has schema ${version}, this version knows ${migrations.length}. Start a newer version.`,
    )
}

/** What only a newer version knows would be missing from a copy. */
export function requireKnown({ version }: SchemaState) {
  if (version > SCHEMA_VERSION)
    throw new Error(
      `The database was upgraded by a newer version of Docent (schema ${version}). Use that one for this.`,
    )
}

async function prepare(tx: Queries, dialect: Dialect): Promise<SchemaState> {
  for (const statement of dialect.first) await tx.query(statement)
  await tx.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, least_schema INTEGER NOT NULL, applied_at BIGINT NOT NULL
    )`,
  )
  return readSchema(tx)
}

/** The schemas that running nodes know. An SQLite database has no other nodes. */
async function runningSchemas(tx: Queries, { engine }: Database, { version }: SchemaState, now: number) {
  if (version === 0 || engine === 'sqlite') return []
  const rows = await tx.query<{ schema: number } & Row>('SELECT schema FROM nodes WHERE seen_at > $1', [
    now - NODE_GONE_MS,
  ])
  return rows.map(({ schema }) => schema)
}

function pendingOf({ applied: appliedVersions }: SchemaState, migrations: Migration[], nodes: number[]): Numbered[] {
  return numberMigrations(migrations).filter((migration) => {
    if (appliedVersions.includes(migration.version)) return false
    return 'expand' in migration || nodes.every((schema) => schema >= migration.after)
  })
}

/** `isEmpty`: there is nothing in the tables yet, so indexes are built at once. */
async function apply(
  tx: Queries,
  dialect: Dialect,
  migration: Numbered,
  now: number,
  { isEmpty }: { isEmpty: boolean },
) {
  const { name, version } = migration
  const isExpansion = 'expand' in migration
  const indexes = isExpansion && (isEmpty || dialect.indexesAtOnce) ? (migration.indexes ?? []) : []
  for (const statement of [...(isExpansion ? migration.expand : migration.contract), ...indexes]) {
    await requireNoCascade(tx, dialect, statement)
    await tx.query(fill(statement, dialect))
  }
  await tx.query('INSERT INTO schema_migrations (version, name, least_schema, applied_at) VALUES ($1, $2, $3, $4)', [
    version,
    name,
    isExpansion ? 0 : migration.after,
    now,
  ])
}

/** SQLite empties a table before it drops it, and with it every row elsewhere that is to be deleted with one of its rows. */
async function requireNoCascade(tx: Queries, { cascadesFrom }: Dialect, statement: string) {
  const droppedTable = /^DROP TABLE (?:IF EXISTS )?(\w+)/i.exec(statement)?.[1]
  if (!droppedTable || !cascadesFrom) return
  const [referringTable] = await tx.query<{ name: string }>(cascadesFrom, [droppedTable])
  if (referringTable)
    throw new Error(`Dropping ${droppedTable} would delete the rows of ${referringTable.name}. Migrations never do so.`)
}

/** Others wait behind a statement that waits for a lock, so it gives up soon and tries again. */
async function whenUnlocked<T>(attempt: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + LONGEST_WAIT_MS; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== LOCK_TIMEOUT || performance.now() > end) throw error
      await pause(RETRY_MS)
    }
  }
}

function fill(statement: string, dialect: Dialect): string {
  return statement
    .replaceAll('{clustered}', dialect.clustered)
    .replaceAll('{blob}', dialect.blob)
    .replaceAll('{binary}', dialect.binary)
}
