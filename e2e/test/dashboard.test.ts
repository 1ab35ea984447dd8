// The dashboard as people use it: from the set-up link to a first answer, keys, webhooks, the second factor.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startReceiver } from '../../server/test/harness/receiver.ts'
import { startServer, type TestServer } from '../../server/test/harness/start-server.ts'
import { launchBrowser } from '../src/browser.ts'
import { codeOf, logIn, person, setUp } from '../src/dashboard.ts'
import { watchErrors } from '../src/look-at-page.ts'

const INSTALL_MS = 600_000
const PATIENCE_MS = 30_000
const TEST_MS = 180_000
const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }

vi.setConfig({ testTimeout: TEST_MS })

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, INSTALL_MS)
afterAll(() => browser?.close())

/** A new instance, set up, with somebody logged in. */
async function open() {
  const server = await startServer('sqlite', { environment })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const problems = watchErrors(page)
  await setUp(page, server.baseUrl, server.setUpToken)
  return { server, context, page, problems }
}

/** Name, text, try: the three steps of a new bot. */
async function makeBot(page: Page) {
  await page.getByRole('link', { name: 'New bot' }).first().click()
  await page.getByLabel('Name').fill('Bicycle shop')
  await page.getByRole('button', { name: 'Create the bot' }).click()
  await page.getByText('Text', { exact: true }).click()
  await page.getByLabel('Title').fill('Delivery')
  const text = 'Delivery within Austria takes two to three working days. Parcels are brought by bicycle courier.'
  await page.getByRole('textbox', { name: 'Text' }).fill(text)
  await page.getByRole('button', { name: 'Add the text' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** The id of the bot that the address names. */
async function botIdOf(page: Page): Promise<string> {
  await page.waitForURL(/\/bots\/bot_\w+$/)
  return new URL(page.url()).pathname.split('/')[2] ?? ''
}

async function chat({ call }: TestServer, token: string, botId: string) {
  const body = { bot_id: botId, message: 'How long does delivery to Austria take?' }
  return call('POST /api/v1/chat', { token, body })
}

test('from the set-up link to a first answer and the snippet, and no error on the way', async () => {
  const { page, problems } = await open()
  const began = Date.now()
  await makeBot(page)
  await page.getByPlaceholder('Ask something …').fill('How long does delivery to Austria take?')
  await page.keyboard.press('Enter')
  await page.getByText('two to three working days').waitFor()
  await page.getByText('Answered', { exact: true }).waitFor()
  await page.getByText('/widget.js').waitFor()
  await page.getByRole('link', { name: 'Go to the bot' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bicycle shop' }).waitFor()
  expect(Date.now() - began).toBeLessThan(120_000)
  expect(problems).toEqual([])
})

test('the playground shows what was found and makes a question a curated answer', async () => {
  const { page, problems } = await open()
  await makeBot(page)
  await page.getByRole('link', { name: 'Go to the bot' }).click()
  await botIdOf(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Playground' }).click()
  const ask = async (question: string) => {
    await page.getByPlaceholder('Ask something …').fill(question)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
  }
  await ask('Who repairs my gears?')
  await page.getByText('Fell back').first().waitFor()
  await page.getByRole('button', { name: 'Write the answer myself' }).click()
  await page.getByRole('textbox', { name: 'Answer' }).fill('Our workshop does, on any weekday.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The bot will say that.').waitFor()
  await ask('Who repairs my gears?')
  await page.getByText('Our workshop does, on any weekday.').first().waitFor()
  await page.getByText('Answered in your words').first().waitFor()
  expect(problems).toEqual([])
})

test('a key is made, shown once, used, counted and revoked', async () => {
  const { server, page, problems } = await open()
  await makeBot(page)
  await page.getByRole('link', { name: 'Go to the bot' }).click()
  const botId = await botIdOf(page)
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Website')
  await dialog.getByRole('button', { name: 'New key' }).click()
  const key = await dialog.getByText(/^dct_chat_\w+$/).innerText()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()

  expect((await chat(server, key, botId)).status).toBe(200)
  await page.reload()
  await page.getByText('1 of 1,000 calls today').waitFor()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Actions: Website' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()
  expect((await chat(server, key, botId)).status).toBe(401)
  expect(problems).toEqual([])
})

test('a webhook is made, its test reaches a real receiver, and the log sends it again', async () => {
  const { page, problems } = await open()
  const receiver = await startReceiver()
  await makeBot(page)
  await page.getByRole('link', { name: 'Go to the bot' }).click()
  await botIdOf(page)
  await page.getByRole('link', { name: 'Integrations' }).click()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'New webhook' }).click()
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()

  await page.getByRole('button', { name: `Actions: ${receiver.url}` }).click()
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  const [sent] = await receiver.until(1)
  expect(sent?.json.event_type).toBe('webhook.test')

  await page.waitForURL(/\/settings\/deliveries/)
  await page.getByRole('button', { name: 'webhook.test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  const [, again] = await receiver.until(2)
  expect(again?.headers['webhook-id']).toBe(sent?.headers['webhook-id'])
  expect(problems).toEqual([])
})

test('the second factor is switched on and then asked for at the log-in, which leads where one wanted to go', async () => {
  const { server, page } = await open()
  const { clock, baseUrl } = server
  await page.goto(`${baseUrl}/account`)
  await page.getByRole('button', { name: 'Set it up' }).click()
  const secret = await page
    .getByRole('dialog')
    .getByText(/^[A-Z2-7]{16,}$/)
    .innerText()
  await page.getByRole('dialog').getByRole('textbox').fill(codeOf(secret, clock.now))
  await page.getByRole('button', { name: 'Switch it on' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: person.name }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')

  clock.now += 60_000
  await logIn(page, baseUrl, '/workspace/usage')
  await page.getByLabel('Code').fill(codeOf(secret, clock.now))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/workspace/usage')

  await page.getByRole('button', { name: person.name }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  clock.now += 60_000
  await logIn(page, baseUrl, '//elsewhere.test/')
  await page.getByLabel('Code').fill(codeOf(secret, clock.now))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`${baseUrl}/bots`)
})
