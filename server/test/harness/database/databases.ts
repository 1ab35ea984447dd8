// A database for one test, on either engine, dropped afterwards. It is copied from one that has the tables, since
// running the migrations takes longer than most tests.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { inject, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/storage/storage.ts'
import { createMemoryFolder } from './memory-folder.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

export interface TestDatabase {
  dataDir: string
  databaseUrl: string | null
  drop: () => Promise<void>
}

const TEMPLATE = 'docent_test_tables'
const FILE = 'docent.sqlite'
/** Screenshots and benchmarks run outside Vitest, where no folder is prepared. */
const isTestRun = process.env.VITEST !== undefined

export async function createDatabase(engine: Engine, { isEmpty = false } = {}): Promise<TestDatabase> {
  const folder = isTestRun ? inject('dataFolder') : tmpdir()
  const dataDir = mkdtempSync(join(folder, 'docent-test-'))
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  if (engine === 'sqlite') {
    if (isTestRun && !isEmpty) copyFileSync(join(folder, FILE), join(dataDir, FILE))
    return { dataDir, databaseUrl: null, drop: async () => removeFolder() }
  }

  const url = new URL(inject('postgresUrl'))
  const name = `docent_test_${randomBytes(8).toString('hex')}`
  // Three times as fast as the default strategy, which writes everything to the WAL.
  await asOwner(url.href, `CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template1' : TEMPLATE} STRATEGY file_copy`)
  url.pathname = `/${name}`
  const drop = async () => {
    await asOwner(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`)
    removeFolder()
  }
  return { dataDir, databaseUrl: url.href, drop }
}

/** A separate connection, for changes to PostgreSQL that bypass the server. */
export function connectTo({ databaseUrl }: TestDatabase) {
  const sql = postgres(databaseUrl ?? '', { max: 1, onnotice: () => {} })
  onTestFinished(() => sql.end())
  return sql
}

/** Once per run, before all tests: the parent of all data folders, with an SQLite file that has the tables. */
export async function createDataFolder(): Promise<string> {
  const folder = createMemoryFolder('docent-tests-')
  const database = await openDatabase({ dataDir: folder, databaseUrl: null, databasePoolSize: 1 }, 0)
  await database.close()
  return folder
}

/** The same for PostgreSQL. Returns a function that drops it. */
export async function createTemplate(ownerUrl: string): Promise<() => Promise<void>> {
  const drop = () => asOwner(ownerUrl, `DROP DATABASE IF EXISTS ${TEMPLATE}`)
  await drop()
  await asOwner(ownerUrl, `CREATE DATABASE ${TEMPLATE}`)
  const url = new URL(ownerUrl)
  url.pathname = `/${TEMPLATE}`
  const database = await openDatabase({ dataDir: '', databaseUrl: url.href, databasePoolSize: 1 }, 0)
  await database.close()
  return drop
}

const ownerConnections = new Map<string, postgres.Sql>()

/** On one connection per worker: opening one costs as much as copying the tables. */
async function asOwner(url: string, statement: string) {
  const sql =
    ownerConnections.get(url) ?? postgres(url, { max: 1, onnotice: () => {}, fetch_types: false, idle_timeout: 10 })
  ownerConnections.set(url, sql)
  await sql.unsafe(statement)
}
