// The dashboard as people use it: from the set-up link to a first answer, keys, webhooks.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startReceiver } from '../../server/test/harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { ownerCookie, setUp } from '../src/dashboard.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import { serveHostPage } from '../src/host-page.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }
const BOT = '/api/manage/v1/bots/{botId}'
const DELIVERY = 'Delivery within Austria takes two to three working days. Parcels are brought by bicycle courier.'
const QUESTION = 'How long does delivery to Austria take?'

const looks: Looks = new Set()

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

/** A bot that knows one thing, on one of its screens. */
async function openBot(place: string) {
  const { call, baseUrl } = file.running()
  const token = ADMIN_TOKEN
  const bot = await call('POST /api/manage/v1/bots', { token, body: { name: 'Bicycle shop' } })
  const botId = bot.body.id as string
  const documents = [{ id: 'delivery', title: 'Delivery', text: DELIVERY }]
  await call(`POST ${BOT}/documents`, { token, params: { botId }, body: { documents } })
  const opened = await file.open()
  await opened.page.goto(`${baseUrl}/bots/${botId}${place}`)
  const chat = (key: string) => call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: QUESTION } })
  return { ...opened, botId, chat }
}

async function makeKey(page: Page, mirror = ''): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Website')
  await dialog.getByLabel('Mirror webhook URL').fill(mirror)
  await dialog.getByRole('button', { name: 'New key' }).click()
  const key = await dialog.getByText(/^dct_chat_\w+$/).innerText()
  if (mirror) await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  return key
}

const ways = [
  { name: 'wide and light, with a text', viewport: WIDE, colorScheme: 'light', teach: writeText },
  { name: 'on a phone in the dark, with a website', viewport: PHONE, colorScheme: 'dark', teach: readWebsite },
] as const

test.each(ways)('from the set-up link to a first answer and the checklist without an error, $name', async (way) => {
  const server = await startServer('sqlite', { environment })
  const { viewport, colorScheme } = way
  const { page, problems } = await file.open({ cookie: '', viewport, colorScheme, reducedMotion: 'reduce' })
  const found: string[] = []
  const look = async (state: string) => found.push(...(await fourLooks(page, looks, state)))
  const began = Date.now()
  await setUp(page, server.baseUrl, server.setUpToken)
  await page.getByRole('link', { name: 'New bot' }).first().click()
  await page.getByLabel('Name').fill('Bicycle shop')
  await look('the name')
  await way.teach(page)
  await look('the content')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByPlaceholder('Ask a question…').fill(QUESTION)
  await page.keyboard.press('Enter')
  await page.getByText('two to three working days').waitFor()
  await page.getByText('Answered', { exact: true }).waitFor()
  await page.getByText('/widget.js').waitFor()
  await look('the first answer')
  await page.getByRole('link', { name: 'Go to bot' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bicycle shop' }).waitFor()
  await page.getByText('2 of 5 done').waitFor()
  await look('the checklist')
  expect(Date.now() - began).toBeLessThan(120_000)
  expect([...found, ...problems]).toEqual([])
})

test('a website is shown even if the list was loaded before it was added and arrives afterwards', async () => {
  const { baseUrl } = file.running()
  const { page, problems } = await file.open()
  const listed = Promise.withResolvers<void>()
  const added = Promise.withResolvers<void>()
  await page.route('**/crawls', async (route) => {
    if (route.request().method() === 'POST') {
      await listed.promise
      await route.fulfill({ response: await route.fetch() })
      added.resolve()
    } else {
      const response = await route.fetch()
      listed.resolve()
      await added.promise
      // The page has read the answer to the other request by then, and may have given this one up.
      await page.waitForTimeout(300)
      await route.fulfill({ response }).catch(() => {})
    }
  })
  await page.goto(`${baseUrl}/bots/new`)
  await page.getByLabel('Name').fill('Bicycle shop')
  await readWebsite(page)
  expect(problems).toEqual([])
})

async function writeText(page: Page) {
  await page.getByRole('button', { name: 'Create bot' }).click()
  await page.getByText('Text', { exact: true }).click()
  await page.getByLabel('Title').fill('Delivery')
  await page.getByRole('textbox', { name: 'Text' }).fill(DELIVERY)
  await page.getByRole('button', { name: 'Add text' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
}

async function readWebsite(page: Page) {
  const html = `<!doctype html><title>Delivery</title><main><h1>Delivery</h1><p>${DELIVERY}</p></main>`
  await page.getByLabel(/^Website URL/).fill(await serveHostPage({ html }))
  await page.getByRole('button', { name: 'Create bot' }).click()
  await page.getByText('Up to date', { exact: true }).waitFor()
}

test('the playground shows what was found and makes a question a curated answer', async () => {
  const { page, problems } = await openBot('/playground')
  const ask = async (question: string) => {
    await page.getByPlaceholder('Ask a question…').fill(question)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
  }
  await ask('Who repairs my gears?')
  await page.getByText('No answer', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Write a curated answer' }).click()
  await page.getByRole('textbox', { name: 'Answer' }).fill('Our workshop does, on any weekday.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Answer saved').waitFor()
  await ask('Who repairs my gears?')
  await page.getByText('Our workshop does, on any weekday.').first().waitFor()
  await page.getByText('Curated answer', { exact: true }).first().waitFor()
  expect(problems).toEqual([])
})

test('a key is made, shown once, used, counted and revoked', async () => {
  const { page, problems, chat } = await openBot('/settings/api')
  const key = await makeKey(page)
  expect((await chat(key)).status).toBe(200)
  await page.reload()
  await page.getByText('1 of 1,000').waitFor()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Actions: Website' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('table').getByText('Revoked', { exact: true }).waitFor()
  expect((await chat(key)).status).toBe(401)
  expect(problems).toEqual([])
})

test('a mirror that is set with a key gets each call, and the log sends it again', async () => {
  const receiver = await startReceiver()
  const { page, problems, chat } = await openBot('/settings/api')
  const key = await makeKey(page, receiver.url)
  const answer = await chat(key)
  const [mirrored] = await receiver.waitForCount(1)
  expect(mirrored?.json).toMatchObject({
    event_type: 'chat.mirrored',
    request: { message: QUESTION },
    response: { status: 200, body: { response: answer.body.response } },
  })
  expect(JSON.stringify(mirrored)).not.toContain(key)

  await page.getByRole('link', { name: 'Integrations' }).click()
  await page.getByRole('link', { name: 'Delivery log' }).click()
  await page.getByRole('button', { name: 'chat.mirrored' }).click()
  await page.getByRole('dialog').getByText(QUESTION).first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  const [, again] = await receiver.waitForCount(2)
  expect(again?.headers['webhook-id']).toBe(mirrored?.headers['webhook-id'])
  expect(problems).toEqual([])
})

test('a webhook is made, its test reaches a real receiver, and the log sends it again', async () => {
  const receiver = await startReceiver()
  const { page, problems } = await openBot('/settings/integrations')
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'New webhook' }).click()
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()

  await page.getByRole('button', { name: `Actions: ${receiver.url}` }).click()
  await page.getByRole('menuitem', { name: 'Send test event' }).click()
  const [sent] = await receiver.waitForCount(1)
  expect(sent?.json.event_type).toBe('webhook.test')

  await page.waitForURL(/\/settings\/deliveries/)
  await page.getByRole('button', { name: 'webhook.test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  const [, again] = await receiver.waitForCount(2)
  expect(again?.headers['webhook-id']).toBe(sent?.headers['webhook-id'])

  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Integrations' }).first().click()
  await page.getByRole('button', { name: `Actions: ${receiver.url}` }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByText('Disabled').waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(problems).toEqual([])
})
