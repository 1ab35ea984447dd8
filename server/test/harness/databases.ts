// A database for one test, on either engine, gone afterwards. On PostgreSQL it has its tables already: making them takes
// longer than most tests.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { inject } from 'vitest'
import { openDatabase } from '../../src/storage/storage.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

export interface TestDatabase {
  dataDir: string
  databaseUrl: string | null
  drop: () => Promise<void>
}

const TEMPLATE = 'docent_test_tables'

export async function createDatabase(engine: Engine, { isEmpty = false } = {}): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docent-test-'))
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  if (engine === 'sqlite') return { dataDir, databaseUrl: null, drop: async () => removeFolder() }

  const url = new URL(inject('postgresUrl'))
  const name = `docent_test_${randomBytes(8).toString('hex')}`
  await asOwner(url.href, `CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template1' : TEMPLATE}`)
  url.pathname = `/${name}`
  const drop = async () => {
    await asOwner(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`)
    removeFolder()
  }
  return { dataDir, databaseUrl: url.href, drop }
}

/** Once per run, before all tests. Gives what takes it away. */
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

async function asOwner(url: string, statement: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
