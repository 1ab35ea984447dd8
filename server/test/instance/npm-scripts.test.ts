// The npm scripts: which Node they run on, and how packages are replaced while a server is running.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEventReceiver } from '../harness/event-receiver.ts'
import { createTestDatabase, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, botCreator } from '../harness/start-server.ts'
import { waitFor } from '../harness/wait.ts'
import { isRefused } from './ports.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

describe('npm scripts, if the Node installed by npm', () => {
  /** The scripts in a separate folder, with a given Node. */
  function withNode(content: string | null) {
    const folder = mkdtempSync(join(tmpdir(), 'docent-scripts-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync(new URL('../../../scripts', import.meta.url), join(folder, 'scripts'), { recursive: true })
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    const lock = createHash('sha256').update('{}').digest('hex')
    writeFileSync(join(folder, 'node_modules/.docent-installed'), `${lock} all`)
    if (content !== null) writeFileSync(join(folder, 'node_modules/.bin/node'), content, { mode: 0o755 })
    return (...args: string[]) =>
      spawnSync(process.execPath, ['scripts/with-dependencies.mjs', ...args], { cwd: folder, encoding: 'utf8' })
  }

  test('works, use it', () => {
    const run = withNode('#!/bin/sh\necho pinned "$@"\n')
    expect(run('node', 'x.ts')).toMatchObject({ status: 0, stdout: 'pinned x.ts\n', stderr: '' })
  })

  test.each([
    ['is not there', null],
    ['has no loader here', '#!/no/such/loader\n'],
    ['fails at once', '#!/bin/sh\nexit 1\n'],
  ])('%s, use the system’s Node and say so', (_, content) => {
    const run = withNode(content)
    const { status, stdout, stderr } = run('node', '-p', '6 * 7')
    expect([status, stdout]).toEqual([0, '42\n'])
    expect(stderr).toMatch(/^npm has no ready-made Node .* runs on this machine's own, v\d+/)
  })

  test('a command that cannot be started is reported, with exit code 1', () => {
    const { status, stderr } = withNode('#!/bin/sh\n')('nothing')
    expect(status).toBe(1)
    expect(stderr).toContain('nothing could not be started')
  })
})

test('an install links the commands of the workspaces, as the guides say of node_modules/.bin/docent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(new URL('../../../scripts', import.meta.url), join(folder, 'scripts'), { recursive: true })
  const write = (path: string, content: object | string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 })
  }
  const cli = { name: '@example/cli', version: '1.0.0', bin: { example: 'bin/example.mjs' } }
  const rootPackage = { name: 'example', version: '1.0.0', workspaces: ['cli'] }
  const packages = { '': rootPackage, cli, 'node_modules/@example/cli': { resolved: 'cli', link: true } }
  write('package.json', rootPackage)
  write('package-lock.json', { ...rootPackage, lockfileVersion: 3, requires: true, packages })
  write('cli/package.json', cli)
  write('cli/bin/example.mjs', '#!/usr/bin/env node\nconsole.log("hello")\n')
  write('.npmrc', 'offline=true\naudit=false\nfund=false\n')
  const { stdout } = spawnSync(process.execPath, ['scripts/with-dependencies.mjs', 'example'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout).toBe('hello\n')
})

test.each([
  ['puts the packages in place', 0, 'new'],
  ['that fails leaves the packages as they were', 3, 'old'],
])('an install while a server is running %s, which are always present', async (_, npmStatus, contentAfter) => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(new URL('../../../scripts', import.meta.url), join(folder, 'scripts'), { recursive: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o755 })
  }
  write('package.json', '{"workspaces": ["server"]}')
  write('server/package.json', '{}')
  write('package-lock.json', '{}')
  write('.npmrc', '')
  write('node_modules/fastify/version', 'old')
  // Like npm: first removes everything, then installs it again.
  const fresh = 'mkdir -p node_modules/fastify node_modules/.bin; printf new > node_modules/fastify/version'
  const node = `ln -s ${process.execPath} node_modules/.bin/node`
  write('bin/npm', `#!/bin/sh\nrm -rf node_modules\nsleep 0.3\n${fresh}; ${node}\nexit ${npmStatus}\n`)

  const args = ['scripts/with-dependencies.mjs', 'node', '-p', '6 * 7']
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' })
  const exitCode = new Promise((resolve) => child.on('exit', resolve))
  const packagedFile = join(folder, 'node_modules/fastify/version')
  let timesGone = 0
  const lookTimer = setInterval(() => existsSync(packagedFile) || timesGone++, 5)
  expect(await exitCode).toBe(npmStatus)
  clearInterval(lookTimer)
  expect(readFileSync(packagedFile, 'utf8')).toBe(contentAfter)
  // A check may fall between the two renames.
  expect(timesGone).toBeLessThanOrEqual(1)
  expect(readdirSync(folder).filter((name) => name.startsWith('.install'))).toEqual([])
})

test('a server keeps answering while its packages are missing: large bots, phone numbers, and later webhooks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-packages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of ['server/src', 'package.json', 'contract'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  const packages = join(folder, 'node_modules')
  const arrive = () => {
    mkdirSync(join(packages, '@docent'), { recursive: true })
    symlinkSync(join(folder, 'contract'), join(packages, '@docent/contract'))
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      if (name !== '@docent') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  }
  arrive()
  const receiver = await startEventReceiver()
  onTestFinished(() => receiver.close())
  const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
  const main = join(folder, 'server/src/main.ts')
  const server = await startProcess({ database: await createTestDatabase('sqlite'), environment, main })
  const documents = Array.from({ length: 400 }, (_, n) => ({
    id: `d${n}`,
    title: `Part ${n}`,
    text: `Part ${n} is red.`,
  }))
  const { botId, key } = await botCreator(server.call)({ documents, webhookUrl: receiver.url })
  rmSync(packages, { recursive: true })

  const body = { bot_id: botId, message: 'What colour is part 7? Call me at +49 30 901820.' }
  const chat = await server.call('POST /api/v1/chat', { token: key, body })
  expect(chat.status).toBe(200)
  const widget = await server.call('POST /api/chat/{botId}/message', { params: { botId }, body })
  expect(widget.status).toBe(200)
  // What the chats report may be sent at any time, so only more deliveries than now count.
  const before = receiver.deliveries()
  arrive()
  const webhooks = '/api/manage/v1/bots/{botId}/webhooks'
  const { items } = (await server.call(`GET ${webhooks}`, { token: ADMIN_TOKEN, params: { botId } })).body
  const params = { botId, id: items[0].id }
  await server.call(`POST ${webhooks}/{id}/test`, { token: ADMIN_TOKEN, params })
  await waitFor(() => receiver.deliveries() > before, 'a delivery')
})

test('SIGTERM to "npm start" also ends the server', async () => {
  const { dataDir } = await createTestDatabase('sqlite')
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: '0', DATA_DIR: dataDir, DEMO_BOT: 'off', EMBEDDINGS: 'off', ADMIN_TOKEN }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: 'pipe', detached: true })
  onTestFinished(() => killGroup(npm.pid))
  const exit = new Promise((resolve) => npm.on('exit', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    let output = ''
    const hear = (chunk: Buffer) => {
      output += chunk
      const portText = /running at http:\/\/localhost:(\d+)/.exec(output)?.[1]
      if (portText) resolve(Number(portText))
    }
    npm.stdout.on('data', hear)
    npm.stderr.on('data', hear)
    exit.then(() => reject(new Error(output)))
  })
  npm.kill('SIGTERM')
  await exit
  await expect.poll(() => isRefused(port)).toBe(true)
})

function killGroup(pid: number | undefined) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}
