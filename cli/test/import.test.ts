// Runs the import command against a real server.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { crawlCalls, page, startSite } from '../../server/test/harness/external/test-site.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { commands } from '../src/commands.ts'
import { docent } from './harness/docent.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** In a separate process. */
async function spawnDocent(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}

async function start(environment: Record<string, string> = {}) {
  const server = await startServer('sqlite', { environment })
  const bot = await server.createBot()
  const settings = { DOCENT_URL: server.baseUrl, DOCENT_TOKEN: ADMIN_TOKEN }
  const ask = async (message: string) =>
    (await server.call('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message } })).body
  return { ...server, ...bot, settings, ask }
}

test('a folder is imported with files of the same name, and unreadable files are reported', async () => {
  const { botId, settings, ask } = await start()
  const folder = folderWith({
    'returns/README.md': '# Returns\n\nA jacket can be returned within 30 days.',
    'rental/README.md': '# Rental\n\nRenting skis costs 25 euros a day.',
    'broken.pdf': 'no pdf',
    '.hidden/secret.md': 'Not for visitors.',
    'node_modules/x/README.md': 'Not for visitors.',
    'picture.png': 'x',
  })
  const first = await docent(['import', folder, '--bot', botId, '--pages-at', 'https://docs.test/'], settings)
  expect(first.output).toContain('2 added, 0 updated, 0 unchanged, 1 failed')
  expect(first.output).toContain('broken.pdf: This file is not a valid PDF')
  expect(first.output).toContain('1 left out:')
  expect(first.output).toContain('picture.png: .png files are not supported')
  expect(first.output).not.toContain('secret.md')
  expect(first.code).toBe(1)
  const answer = await ask('Within how many days can a jacket be returned?')
  expect(answer.response).toContain('30 days')
  expect(answer.sources[0].url).toContain('https://docs.test/returns/README.md')
  expect((await ask('What does renting skis cost?')).response).toContain('25 euros')
  const secondImport = await docent(['import', folder, '--bot', botId, '--pages-at', 'https://docs.test/'], settings)
  expect(secondImport.output).toContain('0 added, 0 updated, 2 unchanged')
})

test('a website import shows its progress', async () => {
  const { botId, settings, ask } = await start({ ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' })
  const site = await startSite({
    '/': '<title>Shop</title><main><h1>Shop</h1><p>Welcome to the shop of tests and trials.</p><a href="/gift">Gift cards</a></main>',
    '/gift': '<title>Gift cards</title><main><h1>Gift cards</h1><p>Gift cards are valid for five years.</p></main>',
  })
  const { code, output } = await docent(['import', site.url, '--bot', botId], settings)
  expect(output).toMatch(/2 indexed, 0 unchanged/)
  expect(code).toBe(0)
  expect((await ask('How long are gift cards valid?')).response).toContain('five years')
})

test('importing a website again reuses its crawl and fetches only changes', async () => {
  const { botId, settings, ask, call } = await start({ ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' })
  const crawls = crawlCalls(call, botId)
  await crawls.create({ url: 'http://127.0.0.1:9/', max_pages: 1 })
  const site = await startSite({ '/old': page('Rental', 'Renting skis costs 25 euros a day.') })
  site.pages.set('/', ({ headers }) =>
    headers['if-none-match'] === '"1"'
      ? { status: 304 }
      : { headers: { etag: '"1"' }, body: page('Shop', 'Welcome to the shop of tests.', ['/old']) },
  )
  const runImport = async (...more: string[]) =>
    (await docent(['import', site.url, '--bot', botId, ...more], settings)).output
  expect(await runImport()).toContain('2 indexed, 0 unchanged')
  expect(await runImport('--max-pages', '7')).toContain('0 indexed, 2 unchanged')
  site.pages.delete('/old')
  await runImport()
  await runImport()
  expect((await ask('What does renting skis cost?')).response).not.toContain('25 euros')
  const list = await call('GET /api/manage/v1/bots/{botId}/crawls', { token: ADMIN_TOKEN, params: { botId } })
  const crawlsOfSite = list.body.items.filter(({ url }: { url: string }) => url === site.url)
  expect(crawlsOfSite).toMatchObject([{ runs: 4, max_pages: 7 }])
})

test('help lists every command and exits with 0, and --json prints results and errors', async () => {
  const list = await spawnDocent(['--help'])
  expect(list.code).toBe(0)
  for (const [name, load] of Object.entries(commands)) {
    const { summary } = await load()
    expect(list.output).toContain(summary)
    const help = await docent([name, '--help'])
    expect(help.code).toBe(0)
    expect(help.output).toContain(`docent ${name} `)
  }
  const outcome = await docent(['import', '/nowhere', '--bot', 'bot_1', '--json'], { DOCENT_TOKEN: 'x' })
  expect(outcome).toMatchObject({ code: 1, json: { error: { code: 'failed' } } })
})

test('mistakes get a clear message that never contains the token', async () => {
  const { botId, settings } = await start()
  const folder = folderWith({ 'a.txt': 'Text' })
  const wrong = [
    await spawnDocent([], settings),
    await docent(['exprot', folder, '--bot', botId], settings),
    await docent(['import', folder], settings),
    await docent(['import', folder, '--bto', botId], settings),
    await docent(['import', folder, '--bot', botId, '--max-pages', 'all'], settings),
    await docent(['import', folder, '--bot', botId], { DOCENT_URL: settings.DOCENT_URL }),
    await docent(['import', folder, '--bot', 'bot_unknown'], settings),
    await docent(['import', folder, '--bot', botId], { ...settings, DOCENT_TOKEN: 'wrong-token-CANARY' }),
    await docent(['import', folder, '--bot', botId], { ...settings, DOCENT_URL: 'http://127.0.0.1:9' }),
    await docent(['import', join(folder, 'absent'), '--bot', botId], settings),
  ]
  expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
  const messages = wrong.map(({ output }) => output)
  expect(messages[1]).toContain('Unknown command "exprot"')
  expect(messages[3]).toContain('--bto')
  expect(messages[5]).toContain('No token')
  expect(messages[6]).toContain('bot_not_found')
  expect(messages[8]).toContain('cannot be reached')
  expect(messages.join('')).not.toMatch(/CANARY|at .*\.ts:\d/)
})
