// A node whose database a newer version has upgraded, and nodes of two versions side by side.
import { describe, expect, test } from 'vitest'
import { upgradeAndBack } from '../../../lab/proof/outages/upgrade.ts'
import { SCHEMA_VERSION } from '../../src/storage/migrations/migrations.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows, runStatement, tableNames } from '../harness/database/rows.ts'
import { previousVersion, whyNoPreviousVersion } from '../harness/previous-version.ts'
import { startServer, type TestServer } from '../harness/start-server.ts'

const documents = [{ id: 'hours', title: 'Opening hours', text: 'We are open on Sundays from 10 to 16.' }]

describe.each(engines)('on %s, a node', (engine) => {
  test('answers and is ready while a newer version has only added to the tables', async () => {
    const server = await startServer(engine)
    const bot = await server.createBot({ documents })
    await ask(server, bot)
    for (const table of await tableNames(server.database))
      if (!table.startsWith('sqlite_'))
        await runStatement(server.database, `ALTER TABLE ${table} ADD COLUMN of_a_newer_version TEXT`)
    await record(server, SCHEMA_VERSION + 1, 0)
    expect(await ask(server, bot)).toBe(200)
    expect((await server.call('GET /readyz')).status).toBe(200)
    const restartedServer = await startServer(engine, { database: await stopped(server) })
    expect(await ask(restartedServer, bot)).toBe(200)
  })

  test('is not ready, and does not start, once a newer version has removed what it uses', async () => {
    const server = await startServer(engine)
    expect((await server.call('GET /readyz')).status).toBe(200)
    await record(server, SCHEMA_VERSION + 2, SCHEMA_VERSION + 1)
    await expect
      .poll(async () => (await server.call('GET /readyz')).body.error?.message)
      .toContain('a newer version has changed the database')
    expect((await server.call('GET /livez')).status).toBe(200)
    await expect(startServer(engine, { database: await stopped(server) })).rejects.toThrow('Start a newer version')
  })

  test('is registered with its schema while it runs', async () => {
    const server = await startServer(engine)
    const registered = async () =>
      (await queryRows(server.database, 'SELECT version, schema FROM nodes')).map((row) => ({ ...row }))
    expect(await registered()).toEqual([{ version: expect.any(String), schema: SCHEMA_VERSION }])
    await server.stop()
    expect(await registered()).toEqual([])
  })
})

const whyMissing = whyNoPreviousVersion()

test.skipIf(whyMissing)(
  `no call fails while nodes of version ${previousVersion} are replaced by this one, and back${whyMissing ? `: ${whyMissing}` : ''}`,
  async () => {
    const { counts, problems } = await upgradeAndBack({ times: 1, restMs: 500, nodes: 1, connections: 2 })
    expect(problems).toEqual([])
    expect(counts['turns acknowledged']).toBeGreaterThan(20)
  },
)

async function ask({ call }: TestServer, { botId, key }: { botId: string; key: string }): Promise<number> {
  const body = { bot_id: botId, message: 'Are you open on Sundays?' }
  return (await call('POST /api/v1/chat', { token: key, body })).status
}

/** As a newer version would after a migration. */
async function record({ database }: TestServer, version: number, leastSchema: number) {
  await runStatement(
    database,
    `INSERT INTO schema_migrations (version, name, least_schema, applied_at) VALUES (${version}, 'n', ${leastSchema}, 0)`,
  )
}

async function stopped(server: TestServer) {
  await server.stop()
  return server.database
}
