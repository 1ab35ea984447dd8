// Backs up a whole instance to one file and restores it on either database.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Engine, type TestDatabase } from '../../server/test/harness/database/databases.ts'
import { startReceiver } from '../../server/test/harness/external/receiver.ts'
import { ADMIN_TOKEN, SECRET_KEY, startServer } from '../../server/test/harness/start-server.ts'
import { docent, temporaryFolder } from './harness/docent.ts'

const OTHER_KEY = 'another-secret-key-that-is-not-the-same-0123'
const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', SECRET_KEY }
const documents = [
  {
    id: 'returns',
    title: 'Returns',
    url: 'https://shop.test/returns',
    text: 'A jacket can be returned within 30 days.',
  },
]

const placeOf = ({ dataDir, databaseUrl }: TestDatabase) => ({
  DATA_DIR: dataDir,
  SECRET_KEY,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
})

async function emptyDatabase(engine: Engine) {
  const database = await createDatabase(engine, { isEmpty: true })
  onTestFinished(database.drop)
  return database
}

async function startShop(engine: Engine, webhookUrl?: string) {
  const server = await startServer(engine, { environment })
  const bot = await server.createBot({ documents })
  const params = { botId: bot.botId }
  const webhook = webhookUrl
    ? await server.call('POST /api/manage/v1/bots/{botId}/webhooks', {
        token: ADMIN_TOKEN,
        params,
        body: { url: webhookUrl },
      })
    : null
  return { ...server, ...bot, webhookSecret: webhook?.body.secret as string }
}

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('a backup of a running instance on %s', (from, to) => {
  test(`restores on ${to} with the same answers, keys and files, and webhooks still deliver`, async () => {
    const receiver = await startReceiver()
    const { botId, key, call, database, webhookSecret } = await startShop(from, receiver.url)
    const question = { token: key, body: { bot_id: botId, message: 'Within how many days can a jacket be returned?' } }
    const before = await call('POST /api/v1/chat', question)
    const file = join(temporaryFolder(), 'shop.backup')
    const backup = await docent(['backup', file, '--json'], placeOf(database))
    expect(backup).toMatchObject({ code: 0, json: { rows: { bots: 1, documents: 1, webhooks: 1 } } })
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const target = await emptyDatabase(to)
    const restore = await docent(['restore', file], placeOf(target))
    expect(restore.output).toContain('1 bot.')
    expect(restore.code).toBe(0)
    const targetServer = await startServer(to, { environment, database: target })
    // Receivers reject old signatures.
    targetServer.clock.now = Date.now()
    const after = await targetServer.call('POST /api/v1/chat', question)
    expect(after.body).toMatchObject({ response: before.body.response, confidence: before.body.confidence })

    const earlierCount = receiver.received.length
    const visitorResponse = targetServer.call('POST /api/chat/{botId}/message', {
      params: { botId },
      body: { message: 'Hello' },
    })
    expect((await visitorResponse).status).toBe(200)
    const deliveries = await receiver.waitForCount(earlierCount + 1)
    const { headers, body } = deliveries.at(-1) as (typeof deliveries)[number]
    expect(() => new Webhook(webhookSecret).verify(body, headers as Record<string, string>)).not.toThrow()
  })
})

describe('a restore', () => {
  test('refuses a wrong key, a target in use and a running server, and changes nothing', async () => {
    const { database, stop } = await startShop('sqlite')
    const file = join(temporaryFolder(), 'shop.backup')
    const wrongKey = await docent(['backup', file], { ...placeOf(database), SECRET_KEY: OTHER_KEY })
    expect(wrongKey).toMatchObject({ code: 1 })
    expect(wrongKey.output).toContain('does not match the database')
    expect(existsSync(file)).toBe(false)
    expect((await docent(['backup', file], placeOf(database))).code).toBe(0)
    expect((await docent(['backup', file], placeOf(database))).output).toContain('already exists')
    expect((await docent(['backup', file, '--force'], placeOf(database))).code).toBe(0)
    const old = ['2026-01-01T000000', '2026-01-02T000000'].map((time) => join(dirname(file), `docent-${time}.backup`))
    for (const path of old) writeFileSync(path, '')
    const newestFile = join(dirname(file), 'docent-2026-01-03T000000.backup')
    const backup = await docent(['backup', newestFile, '--keep', '2', '--json'], placeOf(database))
    expect(backup.json.deleted).toEqual([old[0]])
    expect([...old, newestFile, file].map((path) => existsSync(path))).toEqual([false, true, true, true])
    expect((await docent(['backup', '--keep', '0'], placeOf(database))).code).toBe(2)

    const target = await emptyDatabase('sqlite')
    const restore = await docent(['restore', file], { ...placeOf(target), SECRET_KEY: OTHER_KEY })
    expect(restore).toMatchObject({ code: 1 })
    expect(readdirSync(target.dataDir)).toEqual(['docent.lock'])
    expect((await docent(['restore', file], placeOf(database))).output).toContain('in use by another Docent process')
    await stop()
    expect((await docent(['restore', file], placeOf(database))).output).toContain('already has a database')

    const postgres = await createDatabase('postgres')
    const server = await startServer('postgres', { environment, database: postgres })
    onTestFinished(postgres.drop)
    onTestFinished(server.stop)
    expect((await docent(['restore', file], placeOf(postgres))).output).toContain('has data of an instance already')
  })

  test('restores the secrets of the data folder, or only those', async () => {
    const { database } = await startServer('sqlite')
    writeFileSync(join(database.dataDir, 'admin-token'), 'the-owners-token-0123456789')
    const folder = temporaryFolder()
    const file = join(folder, 'all.backup')
    const place = { DATA_DIR: database.dataDir }
    expect((await docent(['backup', file], place)).code).toBe(0)
    const target = await emptyDatabase('sqlite')
    expect((await docent(['restore', file], { DATA_DIR: target.dataDir })).code).toBe(0)
    for (const name of ['secret-key', 'admin-token'])
      expect(readFileSync(join(target.dataDir, name), 'utf8').trim()).toBe(
        readFileSync(join(database.dataDir, name), 'utf8').trim(),
      )
    await docent(['restore', file, '--secrets-to', join(folder, 'secrets')])
    expect(readdirSync(join(folder, 'secrets'))).toEqual(['admin-token', 'secret-key'])

    const backupWithoutSecrets = join(folder, 'without.backup')
    await docent(['backup', backupWithoutSecrets, '--without-secrets'], place)
    expect(
      gunzipSync(readFileSync(backupWithoutSecrets)).includes(
        readFileSync(join(database.dataDir, 'secret-key')).subarray(0, 20),
      ),
    ).toBe(false)
    const empty = await emptyDatabase('sqlite')
    const keyless = await docent(['restore', backupWithoutSecrets], { DATA_DIR: empty.dataDir })
    expect(keyless).toMatchObject({ code: 1 })
    expect(keyless.output).toContain('set SECRET_KEY')
  })
})

test('damaged and hostile archives are refused with a clear message, and nothing changes', async () => {
  const { database } = await startShop('sqlite')
  const folder = temporaryFolder()
  const file = join(folder, 'good.backup')
  await docent(['backup', file], placeOf(database))
  const good = readFileSync(file)
  const archive = gunzipSync(good)
  const target = await emptyDatabase('sqlite')

  /** The archive's database, changed by SQL. */
  function changed(...statements: string[]): Buffer {
    const path = join(folder, `changed-${Math.random()}.sqlite`)
    writeFileSync(path, archive)
    const connection = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    for (const statement of statements) connection.exec(statement)
    connection.close()
    return gzipSync(readFileSync(path))
  }
  const manifest = (change: string) => `UPDATE docent_archive SET value = json_set(value, ${change})`
  const bomb = Buffer.alloc(24 * 1024 ** 2)
  archive.copy(bomb)
  bomb.writeUInt32BE(bomb.length / 4096, 28)

  const hostile: [string, Buffer | string, RegExp][] = [
    ['absent', '', /no file/],
    ['text', Buffer.from('not an archive'), /damaged|not a Docent archive/],
    ['other gzip', gzipSync('x'.repeat(5000)), /not a Docent archive/],
    ['truncated', good.subarray(0, good.length / 2), /damaged/],
    ['flipped bits', flipped(good), /damaged/],
    ['cut inside', gzipSync(archive.subarray(0, archive.length - 4096)), /not complete/],
    ['longer than it says', gzipSync(Buffer.concat([archive, Buffer.alloc(8192)])), /longer/],
    ['zip bomb', gzipSync(bomb), /unpack to far more/],
    ['newer', changed(manifest(`'$.schema', 999`)), /newer version/],
    ['newer format', changed(manifest(`'$.format', 2`)), /newer version/],
    ['no manifest', changed('DROP TABLE docent_archive'), /not a Docent archive/],
    ['broken manifest', changed(`UPDATE docent_archive SET value = '{"format": 1}'`), /not complete/],
    ['missing rows', changed('DELETE FROM passages'), /not complete/],
    ['wrong type', changed(`UPDATE bots SET created_at = 'soon'`), /not of type integer/],
    ['orphan', changed(`UPDATE documents SET bot_id = 'bot_none'`), /rows are inconsistent/],
    ['trigger', changed('CREATE TRIGGER t AFTER INSERT ON bots BEGIN DELETE FROM bots; END'), /more in it than tables/],
    ['view', changed('ALTER TABLE keys RENAME TO k', 'CREATE VIEW keys AS SELECT * FROM k'), /more in it than tables/],
  ]
  for (const [name, bytes, message] of hostile) {
    const path = join(folder, `${name}.backup`)
    if (typeof bytes !== 'string') writeFileSync(path, bytes)
    const { code, output } = await docent(['restore', path], placeOf(target))
    expect(`${name} ${code}: ${output}`).toMatch(message)
    expect(code).toBe(1)
    expect(output).not.toMatch(/at .*\.ts:\d/)
    expect(readdirSync(target.dataDir)).toEqual(['docent.lock'])
  }
})

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = copy.length >> 1; at < (copy.length >> 1) + 64; at++) copy[at] = (copy[at] as number) ^ 0xff
  return copy
}
