// The dashboard as people use it: from the set-up link to a first answer, keys, webhooks.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startReceiver } from '../../server/test/harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { measureMs } from '../../server/test/harness/timing.ts'
import { WAIT_TIMEOUT_MS } from '../../server/test/harness/wait.ts'
import { ownerCookie, setUp } from '../src/dashboard.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import { serveHostPage } from '../src/host-page.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }
const BOT = '/api/manage/v1/bots/{botId}'
const DELIVERY = 'Delivery within Austria takes two to three working days. Parcels are brought by bicycle courier.'
const QUESTION = 'How long does delivery to Austria take?'

const REFUSED = { status: 409, json: { error: { code: 'too_many_crawls', message: 'Refused.', request_id: 'req_1' } } }

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
  const tab = await file.open()
  await tab.page.goto(`${baseUrl}/bots/${botId}${place}`)
  const chat = (key: string) => call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: QUESTION } })
  return { ...tab, botId, chat }
}

async function makeKey(page: Page, mirror = ''): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Website')
  await dialog.getByLabel('Mirror webhook URL').fill(mirror)
  await dialog.getByRole('button', { name: 'Create key' }).click()
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
  const violations: string[] = []
  // The time of whoever sets it up, without that of the looks.
  let lookingMs = 0
  const look = async (state: string) => {
    lookingMs += await measureMs(async () => violations.push(...(await fourLooks(page, looks, state))))
  }
  const startedAt = performance.now()
  await setUp(page, server.baseUrl, server.setUpToken)
  await page.getByRole('link', { name: 'New bot' }).first().click()
  await look('the start')
  await way.teach(page)
  await page.getByText('1 page read, 1 passage').waitFor()
  await page.locator('summary').first().click()
  await page.getByText('two to three working days').first().waitFor()
  const chat = page.frameLocator('iframe')
  await chat.getByRole('textbox').fill(QUESTION)
  await page.keyboard.press('Enter')
  await chat.getByText('two to three working days').waitFor()
  await page.getByText('/widget.js').waitFor()
  await look('the first answer')
  await page.getByRole('link', { name: 'Go to bot' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bicycle shop' }).waitFor()
  // The server does not know its port here, so that its own page with the chat may count as the website.
  const progress = page.getByText(/^[34] of 5 done$/)
  await progress.waitFor()
  for (const done of ['Add content', 'Test questions', 'Adjust the appearance'])
    await page.locator('.checklist-step[data-done]', { hasText: done }).waitFor()
  await look('the checklist')
  // Whoever hides it does so for every browser.
  await page.getByRole('button', { name: 'Hide' }).click()
  await progress.waitFor({ state: 'detached' })
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Bicycle shop' }).waitFor()
  expect(await progress.count()).toBe(0)
  expect(performance.now() - startedAt - lookingMs).toBeLessThan(WAIT_TIMEOUT_MS)
  expect([...violations, ...problems]).toEqual([])
})

test('a website that cannot be read is reported under its field, before a bot is created', async () => {
  const { baseUrl, call } = file.running()
  const { page } = await file.open()
  const count = async () => (await call('GET /api/manage/v1/bots', { token: ADMIN_TOKEN })).body.items.length
  const before = await count()
  await page.goto(`${baseUrl}/bots/new`)
  await page.getByLabel(/^Website URL/).fill('http://10.1.2.3/')
  await page.getByRole('button', { name: 'Read website' }).click()
  await page.locator('.mantine-TextInput-error').waitFor()
  expect(await count()).toBe(before)
})

test('a crawl that cannot start leaves one bot, and its website in the next step', async () => {
  const { page, count, crawl } = await openStart()
  const before = await count()
  await readWebsite(page)
  await expect.poll(() => page.getByRole('button', { name: 'Start without a website' }).isDisabled()).toBe(true)
  crawl.resolve('refused')
  await page.getByRole('heading', { name: 'Add some content' }).waitFor()
  await expect.poll(() => page.getByLabel(/^Website URL/).inputValue()).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect(await count()).toBe(before + 1)
})

test('whoever leaves while a website is being read is not called back', async () => {
  const { page, crawl } = await openStart()
  const crawlRequest = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/crawls'),
  )
  await readWebsite(page, 'help')
  // Of the URL of a folder, only its pages are read.
  expect((await crawlRequest).postDataJSON().include).toEqual(['/help/', '/help$', '/help?'])
  await page.getByRole('link', { name: 'Bots' }).first().click()
  const title = page.getByRole('heading', { level: 1, name: 'Bots' })
  await title.waitFor()
  let hasBegun = false
  const botListResponse = page.waitForResponse((response) => {
    const { pathname } = new URL(response.url())
    hasBegun ||= pathname.endsWith('/crawls')
    return hasBegun && pathname === '/api/manage/v1/bots'
  })
  crawl.resolve('begun')
  await botListResponse
  expect(new URL(page.url()).pathname).toBe('/bots')
  expect(await title.isVisible()).toBe(true)
})

const forms = [
  { name: 'the first content', place: 'new', action: 'Crawl website' },
  { name: 'the websites', place: 'knowledge', action: 'Start crawl' },
]

test.each(forms)('a site is read as a whole again when its folder is unticked in the form of $name', async (form) => {
  const { call, baseUrl } = file.running()
  const { page, botId } = await openBot('')
  const params = { botId }
  const url = `${await serveHostPage({ html: DELIVERY })}help`
  const include = ['/help/', '/help$', '/help?']
  await call(`POST ${BOT}/crawls`, { token: ADMIN_TOKEN, params, body: { url, include } })
  await page.goto(`${baseUrl}/bots/${form.place === 'new' ? `new?bot=${botId}` : `${botId}/knowledge`}`)
  if (form.place === 'knowledge') await page.getByRole('button', { name: 'Add website', exact: true }).click()
  await page.getByLabel(/URL/).fill(url)
  await page.getByLabel('Only pages under /help/').uncheck()
  await page.getByRole('button', { name: form.action }).click()
  const includes = async () => {
    const { items } = (await call(`GET ${BOT}/crawls`, { token: ADMIN_TOKEN, params })).body
    return items.map((crawl: { include: string[] }) => crawl.include)
  }
  await expect.poll(includes).toEqual([[]])
})

test('questions that could not be proposed can be asked for again, and are after content was added', async () => {
  const { page } = await openStart()
  const isPropose = /\/suggested-questions\/propose$/
  await page.route(isPropose, (route) => route.fulfill(REFUSED))
  await writeText(page)
  await page.getByText('Something went wrong').waitFor()
  await page.unroute(isPropose)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('summary').first().waitFor()
  await page.getByRole('button', { name: 'Add content' }).click()
  await page.getByRole('heading', { name: 'Add some content' }).waitFor()
  const proposalResponse = page.waitForResponse(isPropose)
  await page.getByRole('button', { name: 'Continue' }).click()
  expect((await proposalResponse).status()).toBe(200)
})

test.each([
  { which: 'those of the bot', ownQuestions: null, expected: ['What is of the whole site?'] },
  { which: 'not those of its owner', ownQuestions: ['Is it mine?'], expected: ['Is it mine?'] },
])('questions from a half-read site are replaced once it is read: $which', async ({ ownQuestions, expected }) => {
  const { call, baseUrl } = file.running()
  const { page, botId } = await openBot('')
  const token = ADMIN_TOKEN
  const params = { botId }
  const documents = Array.from({ length: 12 }, (_, index) => ({ id: `page-${index}`, title: 'Page', text: DELIVERY }))
  await call(`POST ${BOT}/documents`, { token, params, body: { documents } })
  await call(`POST ${BOT}/crawls`, { token, params, body: { url: await serveHostPage({ html: DELIVERY }) } })
  let state = 'running'
  await page.route(/\/crawls(\?|$)/, async (route) => {
    const list = await (await route.fetch()).json()
    const items = list.items.map((crawl: object) => ({ ...crawl, state }))
    await route.fulfill({ json: { ...list, items } })
  })
  await page.route(/\/suggested-questions\/propose$/, async (route) => {
    const question = state === 'running' ? 'What is of a part?' : 'What is of the whole site?'
    const questions = [{ question, response: DELIVERY, sources: [], confidence: 0.9 }]
    await route.fulfill({ json: { questions } })
  })
  const suggested = async () => (await call(`GET ${BOT}`, { token, params })).body.widget.suggested_questions
  await page.goto(`${baseUrl}/bots/new?bot=${botId}&step=3`)
  await page.locator('summary', { hasText: 'What is of a part?' }).waitFor()
  expect(await suggested()).toEqual(['What is of a part?'])
  if (ownQuestions)
    await call(`PATCH ${BOT}`, { token, params, body: { widget: { suggested_questions: ownQuestions } } })
  state = 'done'
  await page.locator('summary', { hasText: 'What is of the whole site?' }).waitFor()
  expect(await suggested()).toEqual(expected)
})

/** The first step of a new bot. A crawl waits until the test says what becomes of it. */
async function openStart() {
  const { baseUrl, call } = file.running()
  const { page } = await file.open()
  const crawl = Promise.withResolvers<'begun' | 'refused'>()
  await page.route(/\/crawls$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    return (await crawl.promise) === 'begun' ? route.fallback() : route.fulfill(REFUSED)
  })
  await page.goto(`${baseUrl}/bots/new`)
  const count = async () => (await call('GET /api/manage/v1/bots', { token: ADMIN_TOKEN })).body.items.length
  return { page, crawl, count }
}

test('a bot that does not exist has a page that says so, and no navigation of its own', async () => {
  const { page } = await file.open()
  await page.goto(`${file.running().baseUrl}/bots/bot_gone/playground`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await page.getByRole('link', { name: 'Playground' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Go to your bots' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor()
})

test('a screen that is opened while the server restarts waits for it and then appears', async () => {
  const { page } = await file.open()
  await page.goto(`${file.running().baseUrl}/bots`)
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor()
  await page.waitForLoadState('networkidle')
  const isDown = (url: URL) => url.pathname.startsWith('/assets/') || url.pathname === '/livez'
  await page.route(isDown, (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('Trying again').waitFor()
  await page.unroute(isDown)
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
  expect(await page.getByText('Trying again').count()).toBe(0)
})

test.each([
  { what: 'its content', isLost: /^\/api\/manage\/v1\/bots$|^\/livez$/ },
  { what: 'the session', isLost: /^\/api\/manage\/v1\/session$|^\/livez$/ },
])('a screen that could not load $what while the server restarts loads it by itself afterwards', async ({ isLost }) => {
  const { page } = await openBot('')
  const isDown = (url: URL) => isLost.test(url.pathname)
  await page.route(isDown, (route) => route.abort('connectionrefused'))
  await page.goto(`${file.running().baseUrl}/bots`)
  await page.getByText('Can’t reach the server. Trying again…').waitFor()
  await page.unroute(isDown)
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor()
  await page.getByText('Can’t reach the server').waitFor({ state: 'detached' })
  await page.getByRole('table').getByText('Bicycle shop').first().waitFor()
})

test('plans are shown once a workspace has another than the one that includes everything', async () => {
  const { call, baseUrl } = file.running()
  const { page } = await file.open()
  const workspaces = page.getByRole('list', { name: 'Instance' })
  await page.goto(`${baseUrl}/instance`)
  await workspaces.getByText('My workspace').waitFor()
  expect(await workspaces.getByText('Enterprise').count()).toBe(0)
  const body = { name: 'Customer', plan: 'business' }
  await call('POST /api/manage/v1/workspaces', { token: ADMIN_TOKEN, body })
  await page.reload()
  await workspaces.getByText('Business').waitFor()
  await workspaces.getByText('Enterprise').first().waitFor()
})

async function writeText(page: Page) {
  await page.getByRole('button', { name: 'Start without a website' }).click()
  await page.getByLabel('Name').fill('Bicycle shop')
  await page.getByRole('button', { name: 'Create bot' }).click()
  await page.getByText('Text', { exact: true }).click()
  await page.getByLabel('Title').fill('Delivery')
  await page.getByRole('textbox', { name: 'Text' }).fill(DELIVERY)
  await page.getByRole('button', { name: 'Add text' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function readWebsite(page: Page, path = '') {
  const html = `<!doctype html><title>Delivery | Bicycle shop</title><meta property="og:site_name" content="Bicycle shop"><main><h1>Delivery</h1><p>${DELIVERY}</p></main>`
  const site = await serveHostPage({ html, files: { '/help': { type: 'text/html', text: html } } })
  await page.getByLabel(/^Website URL/).fill(site + path)
  await page.getByRole('button', { name: 'Read website' }).click()
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
  await page.getByRole('button', { name: 'Add answer' }).click()
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
  const [delivery] = await receiver.waitForCount(1)
  expect(delivery?.json).toMatchObject({
    event_type: 'chat.mirrored',
    request: { message: QUESTION },
    response: { status: 200, body: { response: answer.body.response } },
  })
  expect(JSON.stringify(delivery)).not.toContain(key)

  await page.getByRole('link', { name: 'Integrations' }).click()
  await page.getByRole('link', { name: 'Delivery log' }).click()
  await page.getByRole('button', { name: 'chat.mirrored' }).click()
  await page.getByRole('dialog').getByText(QUESTION).first().waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  const [, replay] = await receiver.waitForCount(2)
  expect(replay?.headers['webhook-id']).toBe(delivery?.headers['webhook-id'])
  expect(problems).toEqual([])
})

test('a webhook is made, its test reaches a real receiver, and the log sends it again', async () => {
  const receiver = await startReceiver()
  const { page, problems } = await openBot('/settings/integrations')
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()

  await page.getByRole('button', { name: `Actions: ${receiver.url}` }).click()
  await page.getByRole('menuitem', { name: 'Send test event' }).click()
  const [delivery] = await receiver.waitForCount(1)
  expect(delivery?.json.event_type).toBe('webhook.test')

  await page.waitForURL(/\/settings\/deliveries/)
  await page.getByRole('button', { name: 'webhook.test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  const [, replay] = await receiver.waitForCount(2)
  expect(replay?.headers['webhook-id']).toBe(delivery?.headers['webhook-id'])

  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Integrations' }).first().click()
  await page.getByRole('button', { name: `Actions: ${receiver.url}` }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByText('Disabled').waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(problems).toEqual([])
})
