// Commands that talk to a server, and commands for its operator.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { engines } from '../../server/test/harness/database/databases.ts'
import { ADMIN_TOKEN, SECRET_KEY, startServer } from '../../server/test/harness/start-server.ts'
import { docent, temporaryFolder } from './harness/docent.ts'

const PASSWORD = 'a-long-enough-passphrase'
const documents = [
  {
    id: 'returns',
    title: 'Returns',
    url: 'https://shop.test/returns',
    text: 'A jacket can be returned within 30 days.',
  },
]

const feeds = {
  'products.json': '[{"id": "T1", "title": "Alpine tent", "price": "249.00 EUR"}]',
  'wrapped.json': '{"products": [{"id": "T1", "title": "Alpine tent", "price": "249.00 EUR"}]}',
  'products.ndjson': '{"id": "T1", "title": "Alpine tent", "price": "249.00 EUR"}\n\n',
  'products.csv': 'id;title;price\nT1;"Alpine tent";249.00 EUR\n',
  'merchant.xml': `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>
    <item><g:id>T1</g:id><title><![CDATA[Alpine tent]]></title><g:price>249.00 EUR</g:price>
    <g:shipping><g:country>DE</g:country><g:price>4.90 EUR</g:price></g:shipping>
    <g:additional_image_link>https://shop.test/1.jpg</g:additional_image_link>
    <g:additional_image_link>https://shop.test/2.jpg</g:additional_image_link></item></channel></rss>`,
  'merchant-atom.xml': `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><entry>
    <g:id>T1</g:id><g:title>Alpine tent</g:title><link href="https://shop.test/tent"/><g:price>249.00 EUR</g:price></entry></feed>`,
  'shopify.csv': `Handle,Title,Body (HTML),Vendor,Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Status
T1,Alpine tent,<p>For two</p>,Peak,Tents,light,Size,Two,T1-2,249.00,https://shop.test/1.jpg,active
T1,,,,,,,Four,T1-4,349.00,https://shop.test/2.jpg,
`,
  'woocommerce.csv': `ID,Type,SKU,Name,Published,In stock?,Regular price,Sale price,Categories,Images,Parent,Attribute 1 name,Attribute 1 value(s)
T1,variable,TENT,Alpine tent,1,1,,,Tents,https://shop.test/1.jpg,,Size,"Two, Four"
T2,variation,TENT-2,Alpine tent - Two,1,1,249.00,,,,TENT,Size,Two
`,
}

test('commands sync a catalogue in every format, manage bots and keys, ask questions and evaluate', async () => {
  const { baseUrl, call } = await startServer('sqlite')
  const settings: Record<string, string> = { DOCENT_URL: baseUrl, DOCENT_TOKEN: ADMIN_TOKEN }
  const creation = await docent(['bots', 'create', 'Tent shop', '--json'], settings)
  expect(creation).toMatchObject({ code: 0, json: { name: 'Tent shop' } })
  const botId: string = creation.json.id
  expect((await docent(['bots'], settings)).output).toContain(`${botId}  Tent shop`)

  const key = (await docent(['keys', 'create', 'website', '--bot', botId, '--json'], settings)).json
  const chat = await call('POST /api/v1/chat', { token: key.key, body: { bot_id: botId, message: 'Hello' } })
  expect(chat.status).toBe(200)
  expect((await docent(['keys', '--bot', botId], settings)).output).toContain(`${key.id}  website  active`)
  const next = await docent(['keys', 'rotate', key.id, '--bot', botId], settings)
  expect(next.output).toMatch(/^dct_chat_/)
  expect((await docent(['keys', 'revoke', key.id, '--bot', botId], settings)).output).toContain('is revoked')
  expect((await docent(['keys', 'revoke', '--bot', botId], settings)).code).toBe(2)

  const sync = await docent(['keys', 'sync', '--bot', botId, '--json'], settings)
  settings.DOCENT_SYNC_KEY = sync.json.key
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(feeds)) {
    const file = join(folder, name)
    writeFileSync(file, content)
    const syncOutcome = await docent(['sync-products', file, '--replace', '--currency', 'EUR', '--json'], settings)
    expect([name, syncOutcome.json.received, syncOutcome.json.failed, syncOutcome.code]).toEqual([name, 1, 0, 0])
    const params = { botId, productId: 'T1' }
    const product = await call('GET /api/manage/v1/bots/{botId}/products/{productId}', { token: ADMIN_TOKEN, params })
    expect([name, product.body.title, product.body.currency]).toEqual([name, 'Alpine tent', 'EUR'])
    expect([name, product.body.price ?? product.body.variants[0]?.price]).toEqual([name, 249])
  }
  writeFileSync(join(folder, 'bad.json'), '[{"id": "X"}, {"id": "Y", "title": "Lamp"}]')
  const bad = await docent(['sync-products', join(folder, 'bad.json')], settings)
  expect(bad).toMatchObject({ code: 1 })
  expect(bad.output).toContain('1 new, 0 changed, 0 unchanged, 0 removed, 1 refused')
  writeFileSync(join(folder, 'empty.xml'), '<rss></rss>')
  expect((await docent(['sync-products', join(folder, 'empty.xml')], settings)).output).toContain('has no products')
  const trial = ['sync-products', join(folder, 'products.csv'), '--dry-run', '--json']
  expect((await docent(trial, settings)).json).toMatchObject({ dry_run: true })

  await call('POST /api/manage/v1/bots/{botId}/documents', {
    token: ADMIN_TOKEN,
    params: { botId },
    body: { documents },
  })
  const question = 'Within how many days can a jacket be returned?'
  const outcome = await docent(['ask', question, '--bot', botId], settings)
  expect(outcome.output).toContain('30 days')
  expect(outcome.output).toContain('https://shop.test/returns')
  const queries = [
    { text: question, answers: ['30 days'] },
    { text: 'Who won the cup in 1954?', answerable: false },
    { text: question, answers: ['a year'] },
  ]
  writeFileSync(join(folder, 'queries.jsonl'), queries.map((query) => JSON.stringify(query)).join('\n'))
  const evaluation = await docent(
    ['eval', join(folder, 'queries.jsonl'), '--bot', botId, '--least', '0.9', '--json'],
    settings,
  )
  expect(evaluation).toMatchObject({ code: 1, json: { questions: 3, right: 2, wrong: [{ question }] } })
})

describe.each(engines)('on %s', (engine) => {
  test('a locked-out owner regains access, and doctor reports problems', async () => {
    const environment = { SECRET_KEY }
    const first = await startServer(engine, { environment })
    const { database } = first
    const place = {
      DATA_DIR: database.dataDir,
      SECRET_KEY,
      ...(database.databaseUrl ? { DATABASE_URL: database.databaseUrl } : {}),
    }
    const account = { email: 'owner@shop.test', name: 'Owner', password: 'the-forgotten-passphrase' }
    const setUp = await first.call('POST /api/manage/v1/setup', { body: { token: first.setUpToken, ...account } })
    expect(setUp.status).toBeLessThan(300)
    await first.stop()

    expect((await docent(['reset-password', 'nobody@shop.test'], place, PASSWORD)).output).toContain(
      'No account has the address nobody@shop.test.',
    )
    expect((await docent(['reset-password'], place, 'short')).output).toContain('Use at least 10 characters.')
    const reset = await docent(['reset-password', '--remove-second-factor'], place, `${PASSWORD}\n`)
    expect(reset.output).toBe('owner@shop.test has a new password.\n')

    expect(await docent(['finish-upgrade', '--json'], place)).toMatchObject({ code: 0, json: { left: [] } })
    const second = await startServer(engine, { environment, database })
    const logIn = (password: string) =>
      second.call('POST /api/manage/v1/session', { body: { email: account.email, password } })
    expect((await logIn(account.password)).status).toBe(401)
    expect((await logIn(PASSWORD)).status).toBeLessThan(300)

    const well = await docent(['doctor', '--json'], place)
    expect(well).toMatchObject({ code: 0 })
    const names = well.json.findings.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['node', 'disk', 'database', 'secret key', 'models', 'mail']))
    const wrongKey = await docent(['doctor'], { ...place, SECRET_KEY: 'another-secret-key-that-is-not-the-same-0123' })
    expect(wrongKey).toMatchObject({ code: 1 })
    expect(wrongKey.output).toContain('✗ secret key')
    const unreachablePlace = { DATABASE_URL: 'postgres://127.0.0.1:9/none', SECRET_KEY }
    expect((await docent(['doctor'], unreachablePlace)).output).toContain('✗ database: the database cannot be reached')
  })
})

test('a failure names the invalid fields, or the address that could not be reached', async () => {
  const { baseUrl } = await startServer('sqlite')
  const settings = { DOCENT_URL: baseUrl, DOCENT_TOKEN: ADMIN_TOKEN }
  const invalid = await docent(['bots', 'create', 'n'.repeat(1000)], settings)
  expect([invalid.code, invalid.output]).toEqual([
    1,
    expect.stringMatching(/\(validation_failed\)\n {2}name: Use at most/),
  ])
  const asJson = await docent(['bots', 'create', 'n'.repeat(1000), '--json'], settings)
  expect(asJson.json.error).toMatchObject({ code: 'validation_failed', details: [{ path: 'name' }] })

  const outcome = await docent(['bots', 'create', 'Shop'], { ...settings, DOCENT_URL: 'http://127.0.0.1:1' })
  expect(outcome).toMatchObject({ code: 1, output: expect.stringContaining('http://127.0.0.1:1/') })
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await docent(['--version'])).toMatchObject({ code: 0, output: `${version}\n` })
})

test('the list of commands is in the guide', () => {
  const guide = readFileSync(new URL('../../docs/guides/cli.md', import.meta.url), 'utf8')
  for (const name of ['backup', 'sync-products', 'finish-upgrade', 'reset-password', 'doctor', 'eval'])
    expect(guide).toContain(`docent ${name}`)
})
