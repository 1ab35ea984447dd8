// An empty database of either engine, dropped after the test.
import { onTestFinished } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { createDatabase, type Engine } from '../harness/database/databases.ts'

export const NOW = Date.UTC(2026, 10, 15)

export async function open(engine: Engine) {
  const test = await createDatabase(engine, { isEmpty: true })
  const databases: Database[] = []
  const reopen = async () => {
    const database = await openDatabase({ ...test, databasePoolSize: 10 }, NOW)
    databases.push(database)
    return database
  }
  onTestFinished(async () => {
    await Promise.allSettled(databases.map((database) => database.close()))
    await test.drop()
  })
  return { database: await reopen(), reopen }
}

export async function withSamples(engine: Engine) {
  const { database, reopen } = await open(engine)
  await database.write(`CREATE TABLE samples (
    id TEXT PRIMARY KEY, text TEXT, note TEXT, whole BIGINT, part DOUBLE PRECISION, parent TEXT REFERENCES samples (id)
  )`)
  const ids = async () =>
    (await database.query<{ id: string }>('SELECT id FROM samples ORDER BY id')).map(({ id }) => id)
  return { database, reopen, ids }
}

export const insertion = (id: string) => ({ sql: 'INSERT INTO samples (id) VALUES ($1)', values: [id] })
