// Secrets appear neither in the log, nor in the database, nor in any response but the one that creates them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ApiResponse, CallOptions } from '../harness/call.ts'
import { createDatabase, type Engine, engines, type TestDatabase } from '../harness/database/databases.ts'
import { queryRows, runStatement, tableNames } from '../harness/database/rows.ts'
import {
  authenticatorCode,
  joinWorkspace as joinAs,
  MANAGE,
  PASSWORD as PASSWORD_OF_PEOPLE,
  setUpOwner,
} from '../harness/people.ts'
import { isEventStream, paramNames, routeTable, sampleRequest } from '../harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createTenant } from '../harness/tenants.ts'

const MESSAGE = 'MESSAGE-CANARY-7c1e'
const PASSWORD = 'PASSWORD-CANARY-90af'
const METRICS_TOKEN = 'METRICS-CANARY-6612'
const shownFields = ['key', 'token', 'link']

/** Calls every route with valid and invalid requests, and collects all responses. */
async function callEveryRoute(engine: Engine) {
  const database = await withPassword(engine)
  const server = await startServer(engine, { database, environment: { LOG_LEVEL: 'info', METRICS_TOKEN } })
  const tenant = await createTenant(server.call, 'alpha')
  // The first bot gets deleted; this one stays, with its conversation.
  const keptBot = await server.createBot()
  const owner = await setUpOwner(server)
  const enrolment = await owner.call(`POST ${MANAGE}/account/two-factor`)
  const confirmation = await owner.call(`POST ${MANAGE}/account/two-factor/confirm`, {
    body: { code: authenticatorCode(enrolment.body.secret, server.clock.now) },
  })
  const person = await joinAs(server.call, keptBot.workspaceId, 'owner')
  const secrets: Record<string, string> = {
    'owner token': ADMIN_TOKEN,
    'database password': PASSWORD,
    'metrics token': METRICS_TOKEN,
    'chat key': tenant.key,
    'kept chat key': keptBot.key,
    'sync key': tenant.syncKey,
    'management token': tenant.token,
    'set-up token': server.setUpToken ?? '',
    'password of people': PASSWORD_OF_PEOPLE,
    'session of the owner': owner.cookie().split('=')[1] ?? '',
    'session of a person': person.cookie().split('=')[1] ?? '',
    'second factor': enrolment.body.secret,
    'recovery code': confirmation.body.recovery_codes[0],
  }
  const responses: [string, string][] = []
  const call = async (route: string, options: CallOptions) => {
    const response = await server.call(route, options)
    responses.push([route, withoutShownSecrets(response, route, secrets)])
    return response
  }

  const callers: CallOptions[] = [ADMIN_TOKEN, tenant.token, keptBot.key, METRICS_TOKEN, undefined].map((token) => ({
    token,
  }))
  callers.push(...[owner, person].map(({ cookie }) => ({ headers: { cookie: cookie(), origin: server.baseUrl } })))
  for (const { token, headers = {} } of callers) {
    // Deletions last, so that the other routes find something.
    const inOrder = routeTable.toSorted(([a], [b]) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')))
    for (const [route, spec] of inOrder) {
      const params = Object.fromEntries(paramNames(route).map((name) => [name, tenant[name as keyof typeof tenant]]))
      if (route.startsWith('DELETE') && (token === ADMIN_TOKEN || headers.cookie))
        params[paramNames(route).at(-1) ?? ''] = 'unknown'
      const sample = sampleRequest(spec)
      // A GET on a stream would not end.
      const calledRoute = isEventStream(spec) ? route.replace('GET', 'HEAD') : route
      await call(calledRoute, { token, params, ...sample, headers: { ...headers, ...sample.headers } })
      await call(calledRoute, { token, headers, params: { ...params, botId: `${tenant.key}` }, query: { q: MESSAGE } })
    }
    await call(`GET /${tenant.key}/%zz`, { token })
    await call('POST /api/v1/chat', { token, raw: `{"message":"${MESSAGE}"` })
    await call('POST /api/v1/chat', { token, body: { bot_id: tenant.key, message: { text: MESSAGE } } })
    await call(`GET /nowhere/${tenant.key}?token=${tenant.token}&message=${MESSAGE}`, { token })
    const message = { bot_id: keptBot.botId, message: MESSAGE }
    await call(`POST /api/v1/chat?key=${keptBot.key}`, { token, body: message, headers: { 'idempotency-key': 'once' } })
  }
  return { ...server, keptBot, secrets, responses }
}

describe.each(engines)('secrets on %s', (engine) => {
  test('secrets appear only in the response that creates them, not in the log or the database; messages are not logged', async () => {
    const { logs, database, responses, secrets, keptBot } = await callEveryRoute(engine)
    expect(logs()).toContain('"msg":"request"')
    expectNone(logs(), { ...secrets, 'message text': MESSAGE }, 'the log')

    const dump = await dumpOf(database)
    expect(dump).toContain(keptBot.botId)
    expect(dump).toContain(MESSAGE)
    expectNone(dump, secrets, 'the tables')
    const files = readdirSync(database.dataDir, { recursive: true, withFileTypes: true })
    for (const file of files.filter((one) => one.isFile())) {
      expectNone(readFileSync(join(file.parentPath, file.name), 'latin1'), secrets, file.name)
    }

    // Includes keys and tokens created by these calls, from the next response on.
    expect(Object.keys(secrets).length).toBeGreaterThan(8)
    for (const [route, text] of responses) expectNone(text, secrets, route)
  })
})

test('the error about an unreachable database does not show its password', async () => {
  const database = await withPassword('sqlite')
  const unreachable = { ...database, databaseUrl: `postgres://docent:${PASSWORD}@127.0.0.1:1/docent` }
  const error = await startServer('postgres', { database: unreachable }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(Error)
  expectNone(`${(error as Error).message} ${(error as Error).stack}`, { password: PASSWORD }, 'the error')
})

test.each(engines)('a changed secret key is refused on %s, with advice and without showing the key', async (engine) => {
  const keys = { before: 'before-CANARY-0123456789-0123456789', after: 'after-CANARY-0123456789-0123456789' }
  const database = await withPassword(engine)
  const start = (SECRET_KEY: string) => startServer(engine, { database, environment: { SECRET_KEY } })
  await (await start(keys.before)).stop()
  const error = String(await start(keys.after).catch((error: unknown) => error))
  expect(error).toContain('The secret key in SECRET_KEY is not the one that this database was used with')
  expect(error).toMatch(/backed up.*If that key is lost/)
  expectNone(error, keys, 'the error')
  await (await start(keys.before)).stop()
  const rows = await queryRows(database, 'SELECT name, value FROM instance_values')
  expect(rows.map(({ name }) => name)).toContain('secret_key_fingerprint')
  expectNone(JSON.stringify(rows), keys, 'the database')
})

test('a database restored without its secret key, or beside another one, is refused', async () => {
  const database = await withPassword('sqlite')
  await (await startServer('sqlite', { database })).stop()
  const path = join(database.dataDir, 'secret-key')
  const key = readFileSync(path)
  rmSync(path)
  await expect(startServer('sqlite', { database })).rejects.toThrow(`${path} does not exist`)
  writeFileSync(path, 'the-key-of-another-instance-0123456789')
  await expect(startServer('sqlite', { database })).rejects.toThrow(`in ${path} is not the one`)
  writeFileSync(path, key)
  const server = await startServer('sqlite', { database })
  const { botId } = await createTenant(server.call, 'alpha')
  const body = { url: 'https://receiver.example/hook' }
  await server.call('POST /api/manage/v1/bots/{botId}/webhooks', { token: ADMIN_TOKEN, params: { botId }, body })
  await server.stop()
  // Earlier versions stored no fingerprint of the key; sealed values show whether it matches.
  await runStatement(database, "DELETE FROM instance_values WHERE name = 'secret_key_fingerprint'")
  rmSync(path)
  await expect(startServer('sqlite', { database })).rejects.toThrow(`${path} does not exist`)
  writeFileSync(path, 'the-key-of-another-instance-0123456789')
  await expect(startServer('sqlite', { database })).rejects.toThrow(`in ${path} is not the one`)
  writeFileSync(path, key)
  await startServer('sqlite', { database })
})

test('a configuration error does not show the secret', async () => {
  const database = await withPassword('sqlite')
  const environment = { DATABASE_URL: `mysql://docent:${PASSWORD}@host/db`, ADMIN_TOKEN: 'TOO-SHORT-CANARY' }
  const error = await startServer('sqlite', { database, environment }).catch((error: unknown) => error)
  expect(String(error)).toContain('DATABASE_URL')
  expectNone(String(error), { password: PASSWORD, token: 'TOO-SHORT-CANARY' }, 'the error')
})

/** The test database accepts any password, so one in its URL has no effect, but it must not leak. */
async function withPassword(engine: Engine): Promise<TestDatabase> {
  const database = await createDatabase(engine)
  onTestFinished(() => database.drop())
  if (!database.databaseUrl) return database
  const url = new URL(database.databaseUrl)
  url.password = PASSWORD
  return { ...database, databaseUrl: url.href }
}

/** Records secrets as they are created, and removes them from the one field that may show them. */
function withoutShownSecrets(response: ApiResponse, route: string, secrets: Record<string, string>): string {
  if (response.status !== 201) return response.text
  const body = { ...response.body }
  for (const field of shownFields) {
    const secret = typeof body[field] === 'string' ? body[field].split('#').at(-1) : null
    if (secret) secrets[`${field} of ${route} (${Object.keys(secrets).length})`] = secret
    delete body[field]
  }
  return JSON.stringify(body)
}

async function dumpOf(database: TestDatabase): Promise<string> {
  const tables = await tableNames(database)
  expect(tables).toContain('keys')
  const contents = await Promise.all(tables.map((table) => queryRows(database, `SELECT * FROM ${table}`)))
  return JSON.stringify(contents)
}

function expectNone(text: string, secrets: Record<string, string>, place: string) {
  const leaks = Object.entries(secrets).filter(([, secret]) => text.includes(secret))
  expect(leaks.map(([name]) => `${name} in ${place}`)).toEqual([])
}
