// What a first start creates and prints, and what later ones keep.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { createTestDatabase, spawnProcess, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'

describe('a first start', () => {
  test('prints a curl command that gets an answer with sources, and hides secrets from other users', async () => {
    const database = await createTestDatabase('sqlite')
    const server = await startProcess({ database, environment: { DEMO_BOT: 'on', EMBEDDINGS: 'on', ADMIN_TOKEN: '' } })
    const printedCommand = /^ {4}(curl [\s\S]*?)\n\n/m.exec(server.output())?.[1] ?? ''
    const answer = JSON.parse(execFileSync('sh', ['-c', printedCommand], { cwd: database.dataDir, encoding: 'utf8' }))
    expect(answer.answered).toBe(true)
    expect(answer.sources[0].url).toContain('/demo/')
    for (const name of ['demo-key', 'admin-token']) {
      expect(statSync(join(database.dataDir, name)).mode & 0o777).toBe(0o600)
    }
    expect(server.output()).not.toContain(readFileSync(join(database.dataDir, 'admin-token'), 'utf8').trim())
  })

  test('recreates an empty owner token left by an interrupted start', async () => {
    const database = await createTestDatabase('sqlite')
    const path = join(database.dataDir, 'admin-token')
    writeFileSync(path, '')
    const { call } = await startProcess({ database, environment: { ADMIN_TOKEN: '' } })
    const token = readFileSync(path, 'utf8').trim()
    expect(token.length).toBeGreaterThanOrEqual(32)
    expect((await call('GET /api/manage/v1/bots', { token })).status).toBe(200)
    expect(readdirSync(database.dataDir).filter((name) => name.includes('token'))).toEqual(['admin-token'])
  })

  test.each(engines)('replaces a demo key that does not work for the demo bot on %s', async (engine) => {
    const database = await createTestDatabase(engine)
    const path = join(database.dataDir, 'demo-key')
    const start = () => startServer(engine, { database, environment: { DEMO_BOT: 'on' } })
    const keyOfNow = () => readFileSync(path, 'utf8').trim()
    const answered = async ({ call }: TestServer) => {
      const body = { bot_id: 'bot_demo', message: 'How long does delivery to Austria take?' }
      return (await call('POST /api/v1/chat', { token: keyOfNow(), body })).status
    }
    const first = await start()
    const original = keyOfNow()
    const params = { botId: 'bot_demo' }
    const owner = { token: ADMIN_TOKEN, params }
    const [{ id: keyId }] = (await first.call('GET /api/manage/v1/bots/{botId}/keys', owner)).body.items
    const otherBot = await first.createBot()
    await first.call('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', {
      token: ADMIN_TOKEN,
      params: { ...params, keyId },
    })
    await first.stop()

    for (const content of [original, otherBot.key, '', 'dct_chat_unknown']) {
      writeFileSync(path, content)
      const server = await start()
      expect([content, await answered(server)]).toEqual([content, 200])
      await server.stop()
    }
    const firstKey = keyOfNow()
    const restartedServer = await start()
    expect([keyOfNow(), await answered(restartedServer)]).toEqual([firstKey, 200])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each(engines)('seeds the demo once on %s, and a deleted demo bot stays deleted', async (engine) => {
    const database = await createTestDatabase(engine)
    const demoBots = async () => {
      const { call, stop } = await startServer(engine, { database, environment: { DEMO_BOT: 'on' } })
      const bots = await call('GET /api/manage/v1/bots', { token: ADMIN_TOKEN })
      const botIds = bots.body.items.map(({ id }: { id: string }) => id)
      const keys = botIds[0] && (await call(`GET /api/manage/v1/bots/${botIds[0]}/keys`, { token: ADMIN_TOKEN }))
      return { call, stop, botIds, keys: keys?.body.items.length, knowledge: bots.body.items[0]?.knowledge }
    }
    const first = await demoBots()
    await first.stop()
    const second = await demoBots()
    expect(second).toMatchObject({ botIds: ['bot_demo', 'bot_docs'], keys: 1, knowledge: first.knowledge })
    await second.call('DELETE /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId: 'bot_demo' } })
    await second.stop()
    expect((await demoBots()).botIds).toEqual(['bot_docs'])
  })
})

describe('on SQLite', () => {
  test('a folder in use is refused with a clear message, and usable again after its process was killed', async () => {
    const database = await createTestDatabase('sqlite')
    const first = await startProcess({ database })
    const second = spawnProcess({ database })
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`The data folder ${database.dataDir} is in use`)
    expect(second.output()).not.toMatch(/^\s+at /m)
    expect((await first.call('GET /readyz')).status).toBe(200)
    expect(first.output()).not.toMatch(/other users/)
    await first.kill()
    await startProcess({ database })
  })

  test('files in the data folder become private to their owner, whatever their permissions were', async () => {
    const database = await createTestDatabase('sqlite')
    const token = join(database.dataDir, 'admin-token')
    writeFileSync(token, 'token-of-an-earlier-version-0123456789', { mode: 0o644 })
    writeFileSync(join(database.dataDir, 'docent.sqlite'), '', { mode: 0o644 })
    chmodSync(database.dataDir, 0o755)
    const server = await startProcess({ database, environment: { ADMIN_TOKEN: '', DEMO_BOT: 'on' } })
    await expect.poll(server.output).toMatch(/other users .* data folder/)
    const modes = readdirSync(database.dataDir).map((name) => [
      name,
      statSync(join(database.dataDir, name)).mode & 0o777,
    ])
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['docent.sqlite-shm', 'docent.sqlite-wal']))
    for (const [name, mode] of modes) expect([name, mode]).toEqual([name, 0o600])
  })
})
