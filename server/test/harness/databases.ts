// An empty database for one test, on either engine, gone afterwards.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { inject } from 'vitest'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

export interface TestDatabase {
  dataDir: string
  databaseUrl: string | null
  drop: () => Promise<void>
}

export async function createDatabase(engine: Engine): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docent-test-'))
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  if (engine === 'sqlite') return { dataDir, databaseUrl: null, drop: async () => removeFolder() }

  const url = new URL(inject('postgresUrl'))
  const name = `docent_test_${randomBytes(8).toString('hex')}`
  await asOwner(url.href, `CREATE DATABASE ${name}`)
  url.pathname = `/${name}`
  const drop = async () => {
    await asOwner(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`)
    removeFolder()
  }
  return { dataDir, databaseUrl: url.href, drop }
}

async function asOwner(url: string, statement: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
