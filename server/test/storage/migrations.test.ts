// How the tables are created and upgraded: by additions that nodes of the previous version can live with, and by
// removals when no such node is left.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { postgresDialect } from '../../src/storage/engines/postgres.ts'
import { finishUpgrade, migrate, NODE_GONE_MS, readSchema } from '../../src/storage/migrations/migrate.ts'
import {
  contractingStatement,
  type Migration,
  migrations,
  SCHEMA_VERSION,
} from '../../src/storage/migrations/migrations.ts'
import { dialectOf, openDatabase } from '../../src/storage/storage.ts'
import { connectTo, createDatabase, engines } from '../harness/database/databases.ts'
import { pause } from '../harness/wait.ts'
import { NOW, open } from './open-database.ts'

const insertWorkspace = (id: string) =>
  `INSERT INTO workspaces (id, name, plan, created_at) VALUES ('${id}', 'One', 'free', 1)`
const NEXT = SCHEMA_VERSION + 1
const addColumn: Migration = { name: 'motto', expand: ['ALTER TABLE workspaces ADD COLUMN motto TEXT'] }
const addIndex: Migration = {
  name: 'find mottos',
  expand: ['ALTER TABLE workspaces ADD COLUMN motto TEXT'],
  indexes: ['CREATE INDEX workspaces_by_motto ON workspaces (motto)'],
}
/** Of the version after the one that has not used it any more. */
const dropColumn: Migration = { name: 'no motto', contract: ['ALTER TABLE workspaces DROP COLUMN motto'], after: NEXT }

describe.each(engines)('the tables on %s', (engine) => {
  test('are created once, however often the server starts', async () => {
    const { database, reopen } = await open(engine)
    await database.write(insertWorkspace('ws_1'))
    const reopenedDatabase = await reopen()
    expect(await reopenedDatabase.query('SELECT id FROM workspaces')).toHaveLength(1)
    expect(await readSchema(reopenedDatabase)).toEqual({
      applied: migrations.map((_, index) => index + 1),
      version: SCHEMA_VERSION,
      leastSchema: 0,
    })
  })

  test('of a newer version are used as long as they have only been added to', async () => {
    const { database, reopen } = await open(engine)
    const upgradedMigrations = [...migrations, addColumn]
    await migrate(database, dialectOf(database), NOW, { migrations: upgradedMigrations })
    expect((await readSchema(await reopen())).version).toBe(NEXT)
    await migrate(database, dialectOf(database), NOW, { migrations: [...upgradedMigrations, dropColumn] })
    await expect(reopen()).rejects.toThrow(`schema ${NEXT + 1}, this version knows ${SCHEMA_VERSION}. Start a newer`)
    await expect(
      migrate(database, dialectOf(database), NOW, { migrations: upgradedMigrations }),
    ).resolves.toBeUndefined()
  })

  test('of a database from before the first version are refused with a message that says so', async () => {
    const { database, reopen } = await open(engine)
    await database.write('DROP TABLE schema_migrations')
    await database.write('CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)')
    await expect(reopen()).rejects.toThrow('made before the first version')
  })

  test('lose nothing that a running node uses', async () => {
    const { database } = await open(engine)
    const dialect = dialectOf(database)
    const all = [...migrations, addColumn, dropColumn]
    // On SQLite the one node has ended, or this one could not have started.
    const isWaiting = engine === 'postgres'
    const node = { id: 'node_old', version: '0.1.0' }
    await migrate(database, dialect, NOW, { node })
    await migrate(database, dialect, NOW, { migrations: all })
    expect((await readSchema(database)).applied.includes(NEXT)).toBe(true)
    expect((await readSchema(database)).applied.includes(NEXT + 1)).toBe(!isWaiting)
    const waitingContractions = await finishUpgrade(database, dialect, NOW, { migrations: all })
    expect(waitingContractions).toEqual(isWaiting ? ['"no motto", because older nodes are running'] : [])
    const laterTime = NOW + NODE_GONE_MS
    expect(await finishUpgrade(database, dialect, laterTime, { migrations: all })).toEqual([])
    expect((await readSchema(database)).leastSchema).toBe(NEXT)
    await expect(database.query('SELECT motto FROM workspaces')).rejects.toThrow('motto')
  })

  test('get their indexes in the end', async () => {
    const { database } = await open(engine)
    const all = { migrations: [...migrations, addIndex] }
    await migrate(database, dialectOf(database), NOW, all)
    expect(await finishUpgrade(database, dialectOf(database), NOW, all)).toEqual([])
    expect(await finishUpgrade(database, dialectOf(database), NOW, all)).toEqual([])
    const names = {
      sqlite: `SELECT name FROM sqlite_schema WHERE name = 'workspaces_by_motto'`,
      postgres: `SELECT relname FROM pg_class JOIN pg_index ON indexrelid = oid
        WHERE relname = 'workspaces_by_motto' AND indisvalid`,
    }
    expect(await database.query(names[engine])).toHaveLength(1)
  })

  test('of tenants begin their primary key with the tenant', async () => {
    const { database } = await open(engine)
    const firstColumns = {
      sqlite: `SELECT m.name AS name, p.name AS lead FROM sqlite_master m, pragma_table_info(m.name) p
               WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND p.pk = 1`,
      postgres: `SELECT k.table_name AS name, k.column_name AS lead FROM information_schema.key_column_usage k
                 JOIN information_schema.table_constraints c USING (constraint_schema, constraint_name)
                 WHERE c.constraint_type = 'PRIMARY KEY' AND k.ordinal_position = 1 AND k.table_schema = 'public'`,
    }
    const tables = await database.query<{ name: string; lead: string }>(firstColumns[engine])
    expect(tables.map(({ name }) => name)).toContain('messages')
    // Accounts may belong to several tenants.
    const ofPeople = ['accounts', 'sessions', 'recovery_codes', 'link_tokens', 'throttles']
    const ownedByTheInstance = ['schema_migrations', 'nodes', 'instance_values', 'workspaces', ...ofPeople]
    const tenants = tables.filter(({ name }) => !ownedByTheInstance.includes(name))
    expect(tenants.filter(({ lead }) => lead !== 'workspace_id' && lead !== 'bot_id')).toEqual([])
  })
})

describe('a migration that runs at start', () => {
  test.each([
    'DROP TABLE visitors',
    'DROP INDEX deliveries_by_age',
    'ALTER TABLE bots DROP COLUMN tone',
    'ALTER TABLE bots RENAME COLUMN tone TO voice',
    'ALTER TABLE activity RENAME TO figures',
    'CREATE INDEX by_age ON bots (created_at)',
    'ALTER TABLE bots ALTER COLUMN tone DROP NOT NULL',
    'ALTER TABLE bots ADD COLUMN voice TEXT NOT NULL',
    'ALTER TABLE bots ADD COLUMN voice TEXT UNIQUE',
    'ALTER TABLE bots ADD CONSTRAINT one_name UNIQUE (name)',
    'CREATE UNIQUE INDEX bots_by_name ON bots (name)',
    'DELETE FROM throttles',
  ])('is refused for "%s", before anything is changed', async (statement) => {
    const changes = { migrations: [...migrations, { name: 'careless', expand: [statement] }] }
    const { database } = await open('sqlite')
    await expect(migrate(database, dialectOf(database), NOW, changes)).rejects.toThrow(
      `"careless" would break nodes of the previous version: ${statement}`,
    )
  })

  test('may add tables, columns, indexes and values', () => {
    const expand = [
      'CREATE TABLE mottos (bot_id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (bot_id))',
      'CREATE UNIQUE INDEX mottos_by_text ON mottos (text)',
      'ALTER TABLE bots ADD COLUMN voice TEXT',
      `ALTER TABLE bots ADD COLUMN volume TEXT NOT NULL DEFAULT 'low'`,
      'CREATE UNIQUE INDEX bots_by_voice ON bots (voice)',
      `UPDATE bots SET voice = 'calm'`,
    ]
    expect(
      contractingStatement({ name: 'voices', expand, indexes: ['CREATE INDEX by_age ON bots (created_at)'] }),
    ).toBe(null)
  })

  test('is none of ours that would break nodes of the previous version', () => {
    const problems = migrations.map((migration) => ('expand' in migration ? contractingStatement(migration) : null))
    expect(problems.filter((problem) => problem !== null)).toEqual([])
  })
})

test('SQLite is backed up before a migration, and only then', async () => {
  const place = await createDatabase('sqlite', { isEmpty: true })
  onTestFinished(place.drop)
  const path = join(place.dataDir, 'docent.sqlite')
  const options = { ...place, databasePoolSize: 1 }
  const old = await openDatabase(options, NOW, migrations.slice(0, 1))
  await old.write(insertWorkspace('ws_1'))
  await old.close()
  for (let start = 1; start <= 2; start++) await (await openDatabase(options, NOW, [...migrations, addColumn])).close()
  expect(readdirSync(place.dataDir).toSorted()).toEqual(['docent.sqlite', 'docent.sqlite.schema-1'])
  const copy = new DatabaseSync(`${path}.schema-1`)
  expect(copy.prepare('SELECT max(version) AS version FROM schema_migrations').get()).toEqual({ version: 1 })
  expect(copy.prepare('SELECT id FROM workspaces').get()).toEqual({ id: 'ws_1' })
  copy.close()
})

test('on SQLite, a table that others refer to is never dropped, for that would empty them', async () => {
  const { database } = await open('sqlite')
  await database.write(insertWorkspace('ws_1'))
  await database.write(
    `INSERT INTO members (workspace_id, id, email, name, role, created_at) VALUES ('ws_1', 'mem_1', 'a@b', 'A', 'owner', 1)`,
  )
  const contract = [
    'CREATE TABLE workspaces_rebuilt (id TEXT PRIMARY KEY, name TEXT, plan TEXT, daily_limit BIGINT, created_at BIGINT)',
    'INSERT INTO workspaces_rebuilt SELECT id, name, plan, daily_limit, created_at FROM workspaces',
    'DROP TABLE workspaces',
    'ALTER TABLE workspaces_rebuilt RENAME TO workspaces',
  ]
  const changes = { migrations: [...migrations, { name: 'rebuild', contract, after: 1 }] }
  await expect(migrate(database, dialectOf(database), NOW, changes)).rejects.toThrow('Dropping workspaces would delete')
  expect(await database.query('SELECT id FROM members')).toHaveLength(1)
})

test('several nodes can migrate one PostgreSQL at the same time', async () => {
  const database = await createDatabase('postgres', { isEmpty: true })
  const options = { ...database, databasePoolSize: 2 }
  const nodes = await Promise.allSettled(Array.from({ length: 4 }, () => openDatabase(options, NOW)))
  for (const node of nodes) if (node.status === 'fulfilled') await node.value.close()
  await database.drop()
  expect(nodes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
})

test('a node waits for another’s migration longer than the statement timeout', async () => {
  const database = await createDatabase('postgres', { isEmpty: true })
  const url = new URL(database.databaseUrl ?? '')
  const otherConnection = postgres(url.href, { max: 1 })
  onTestFinished(async () => {
    await otherConnection.end()
    await database.drop()
  })
  url.searchParams.set('statement_timeout', '300')
  let opening: Promise<Database> | undefined
  await otherConnection.begin(async (connection) => {
    await connection.unsafe(postgresDialect.first.find((statement) => statement.includes('advisory')) ?? '')
    opening = openDatabase({ ...database, databaseUrl: url.href, databasePoolSize: 1 }, NOW)
    opening.catch(() => {})
    await pause(900)
  })
  const newDatabase = await opening
  const timeout = await newDatabase?.query('SHOW statement_timeout')
  expect(timeout?.map((row) => ({ ...row }))).toEqual([{ statementTimeout: '300ms' }])
  await newDatabase?.close()
})

test('a migration that waits for a long read on PostgreSQL lets others write meanwhile', async () => {
  const { database, url } = await openPostgres()
  const reader = connectTo(url)
  let migration: Promise<void> | undefined
  await reader.begin(async (connection) => {
    await connection.unsafe('SELECT count(*) FROM workspaces')
    migration = migrate(database, postgresDialect, NOW, { migrations: [...migrations, addColumn] })
    migration.catch(() => {})
    for (let n = 0; n < 8; n++) {
      await pause(200)
      // Behind the migration it would wait for the reader, which waits for it, until its statement times out.
      await database.write(insertWorkspace(`ws_${n}`))
    }
  })
  await migration
  expect((await readSchema(database)).version).toBe(NEXT)
})

test('a large index is built on PostgreSQL without making writers wait, and anew after it was broken off', async () => {
  const { database, url } = await openPostgres()
  const otherConnection = connectTo(url)
  const all = { migrations: [...migrations, addIndex] }
  await migrate(database, postgresDialect, NOW, all)
  // A broken-off build leaves an index behind that is not used.
  for (const id of ['ws_1', 'ws_2']) await database.write(insertWorkspace(id))
  await database.write(`UPDATE workspaces SET motto = 'the same'`)
  await otherConnection
    .unsafe('CREATE UNIQUE INDEX CONCURRENTLY workspaces_by_motto ON workspaces (motto)')
    .catch(() => {})
  expect(await validity()).toEqual([{ indisvalid: false }])
  let building: Promise<string[]> | undefined
  await otherConnection.begin(async (connection) => {
    await connection.unsafe(`UPDATE workspaces SET name = 'Two' WHERE id = 'ws_1'`)
    building = finishUpgrade(database, postgresDialect, NOW, all)
    await expect.poll(() => waitingBuilds()).toBe(1)
    await database.write(insertWorkspace('ws_3'))
  })
  expect(await building).toEqual([])
  expect(await validity()).toEqual([{ indisvalid: true }])

  async function waitingBuilds() {
    const rows = await database.query(
      `SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query LIKE '%INDEX CONCURRENTLY%'`,
    )
    return rows.length
  }
  async function validity() {
    const rows = await database.query(
      `SELECT indisvalid FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relname = 'workspaces_by_motto'`,
    )
    return rows.map((row) => ({ ...row }))
  }
})

test('a transaction on PostgreSQL goes on when another node adds a column to its table', async () => {
  const { database } = await openPostgres()
  const read = () =>
    database.transaction(async (tx) => {
      await pause(20)
      return tx.query('SELECT * FROM workspaces WHERE id <> $1', ['ws_1'])
    })
  const onEveryConnection = () => Promise.allSettled(Array.from({ length: 10 }, read))
  await onEveryConnection()
  await database.write('ALTER TABLE workspaces ADD COLUMN motto TEXT')
  expect((await onEveryConnection()).filter(({ status }) => status === 'rejected')).toEqual([])
})

async function openPostgres() {
  const url = await createDatabase('postgres')
  const database = await openDatabase({ ...url, databasePoolSize: 10 }, NOW)
  onTestFinished(async () => {
    await database.close()
    await url.drop()
  })
  return { database, url }
}
