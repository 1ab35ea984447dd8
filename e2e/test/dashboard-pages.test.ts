// Every screen of the dashboard, in both themes, wide and on a phone: no errors, no sideways scrolling, no violation.
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADMIN_TOKEN, startServer, type TestServer } from '../../server/test/harness/start-server.ts'
import { launchBrowser } from '../src/browser.ts'
import { setUp } from '../src/dashboard.ts'
import { sideways, violations, watchErrors } from '../src/look-at-page.ts'

const INSTALL_MS = 600_000
const TEST_MS = 300_000
const token = ADMIN_TOKEN
const BOT = '/api/manage/v1/bots/{botId}'
const looks = [
  { name: 'wide, light, English', viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-GB' },
  { name: 'phone, dark, German', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'de-AT' },
] as const

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, INSTALL_MS)
afterAll(() => browser?.close())

/** A bot with something on every one of its screens. */
async function furnish({ call }: TestServer): Promise<string> {
  const bot = await call('POST /api/manage/v1/bots', { token, body: { name: 'Bicycle shop', language: 'en' } })
  const params = { botId: bot.body.id as string }
  const make = (route: string, body: object) => call(`POST ${BOT}/${route}`, { token, params, body })
  await make('documents', { documents: [{ id: 'delivery', title: 'Delivery', text: 'Delivery takes two days.' }] })
  await make('answers', { question: 'Who repairs my gears?', alternatives: ['Repairs?'], answer: 'Our workshop does.' })
  await make('keys', { name: 'Website', webhook_url: 'https://mirror.example/hook' })
  const webhook = await make('webhooks', { url: 'https://receiver.example/hook' })
  await make(`webhooks/${webhook.body.id}/test`, {})
  await make('crawls', { url: 'https://site.example/' })
  const { body } = await make('sync-key', {})
  const item = { id: '1', title: 'Atlas jacket', price: '129.00 EUR', availability: 'in_stock', brand: 'Atlas' }
  await call('POST /api/v1/chat/sync-products', { headers: { 'x-service-key': body.key }, body: [item, { id: '2' }] })
  return params.botId
}

function placesOf(botId: string): string[] {
  const bot = `/bots/${botId}`
  const knowledge = ['', '/files', '/documents', '/documents/delivery', '/answers', '/products', '/syncs']
  const settings = ['', '/model', '/api', '/integrations', '/deliveries']
  return [
    ...['/bots', '/bots/new', '/workspace', '/workspace/usage', '/workspace/audit', '/instance', '/account'],
    ...[bot, `${bot}/playground`, '/workspace/nothing'],
    ...knowledge.map((each) => `${bot}/knowledge${each}`),
    ...settings.map((each) => `${bot}/settings${each}`),
  ]
}

async function lookAround(context: BrowserContext, baseUrl: string, places: string[]): Promise<string[]> {
  const page = await context.newPage()
  const problems = watchErrors(page)
  const found: string[] = []
  for (const place of places) {
    await page.goto(baseUrl + place, { waitUntil: 'networkidle' })
    const told = [...(await violations(page)), ...problems.splice(0)]
    if ((await sideways(page)) > 0) told.push('scrolls sideways')
    found.push(...told.map((each) => `${place}: ${each}`))
  }
  await page.close()
  return found
}

test(
  'every screen has no errors, fits the screen and has no accessibility violation, in both themes and languages',
  async () => {
    const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' } })
    const { baseUrl } = server
    const botId = await furnish(server)
    const first = await browser.newContext({ locale: 'en-GB' })
    onTestFinished(() => first.close())
    const page = await first.newPage()
    await setUp(page, baseUrl, server.setUpToken)
    const storageState = await first.storageState()
    const found: string[] = []
    for (const { name, ...look } of looks) {
      const context = await browser.newContext({ ...look, storageState })
      onTestFinished(() => context.close())
      const gates = ['/login', '/setup', '/invitation', '/invitation#token', '/reset', '/reset#token']
      const told = await lookAround(context, baseUrl, [...placesOf(botId), ...gates])
      found.push(...told.map((each) => `${name} ${each}`))
    }
    expect(found).toEqual([])
  },
  TEST_MS,
)

test(
  'dialogs and menus have no accessibility violation, and close with the Escape key',
  async () => {
    const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' } })
    const { baseUrl } = server
    const bot = `/bots/${await furnish(server)}`
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const problems = watchErrors(page)
    await setUp(page, baseUrl, server.setUpToken)
    const openings: [place: string, button: string][] = [
      [`${bot}/settings/api`, 'New key'],
      [`${bot}/settings/api`, 'Actions: Website'],
      [`${bot}/settings/integrations`, 'New webhook'],
      [`${bot}/settings/deliveries`, 'webhook.test'],
      [`${bot}/knowledge/answers`, 'Write an answer'],
      [`${bot}/knowledge`, 'Add a website'],
      [`${bot}/settings`, 'Delete the bot'],
      ['/workspace', 'Invite somebody'],
      ['/bots', 'Open the menu'],
    ]
    const found: string[] = []
    for (const [place, button] of openings) {
      await page.goto(baseUrl + place, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: button, exact: true }).click()
      const opened = page.locator('[role="dialog"], [role="menu"]').filter({ visible: true })
      await opened.first().waitFor()
      // Colours are judged when the fading in is over.
      await page.waitForTimeout(300)
      // A menu lies above the page, in none of its regions.
      found.push(...(await violations(page, ['region'])).map((each) => `${place} ${button}: ${each}`))
      if ((await sideways(page)) > 0) found.push(`${place} ${button}: scrolls sideways`)
      await page.keyboard.press('Escape')
      await opened.first().waitFor({ state: 'hidden' })
    }
    expect([...found, ...problems]).toEqual([])
  },
  TEST_MS,
)
