// The Python client against the real server, with the machine's Python.
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startReceiver } from '../../server/test/harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can send goods back within 30 days.' }]
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

test.skipIf(!hasPython)('the Python client chats, streams, retries and verifies webhooks', async () => {
  const { call, createBot, baseUrl } = await startServer('sqlite', {
    environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' },
  })
  const { botId, key } = await createBot({ documents })
  const receiver = await startReceiver()
  const hooks = '/api/manage/v1/bots/{botId}/webhooks'
  const owner = { token: ADMIN_TOKEN, params: { botId } }
  const webhook = (await call(`POST ${hooks}`, { ...owner, body: { url: receiver.url } })).body
  await call(`POST ${hooks}/{webhookId}/test`, { ...owner, params: { botId, webhookId: webhook.id } })
  const [delivery] = await receiver.waitForCount(1)

  const settings = { baseUrl, botId, key, adminToken: ADMIN_TOKEN, secret: webhook.secret, webhook: delivery }
  const { stderr } = await promisify(execFile)(
    'python3',
    ['-B', '-W', 'error::DeprecationWarning', fileURLToPath(new URL('test_client.py', import.meta.url))],
    { env: { ...process.env, DOCENT_TEST: JSON.stringify(settings) } },
  )
  expect(stderr).toMatch(/Ran 12 tests.*\nOK/s)
})
