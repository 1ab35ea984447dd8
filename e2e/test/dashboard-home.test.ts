// Home: what a team sees after logging in.
import type { BrowserContextOptions } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { runStatement } from '../../server/test/harness/database/rows.ts'
import { joinWorkspace, openBrowser, PASSWORD } from '../../server/test/harness/people.ts'
import { startServer } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { startBusyBot } from '../src/busy-bot.ts'
import { logIn, openPage, ownerCookie } from '../src/dashboard.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import { watchShifts } from '../src/look-at-page.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const looks: Looks = new Set()
const MANAGE = '/api/manage/v1'

const file = wholeFile(async (onEnd) => {
  const server = await startBusyBot(onEnd)
  const cookie = await ownerCookie(server)
  const owner = openBrowser(server.call, cookie)
  const workspace = (workspace_id: string) => owner.call(`PATCH ${MANAGE}/session`, { body: { workspace_id } })
  await workspace(server.workspaceId)
  return { ...server, cookie, workspace }
})

async function open(options: BrowserContextOptions & { cookie?: string } = {}) {
  const server = file.running()
  const tab = await file.open({ viewport: WIDE, ...options })
  await tab.context.clock.setFixedTime(server.clock.now)
  return { server, ...tab }
}

test('after log-in it shows who waits, the week and what could not be answered, and nothing moves', async () => {
  const { server, page, problems } = await open({ cookie: '' })
  const shifts = await watchShifts(page)
  const { email } = await joinWorkspace(server.call, server.workspaceId, 'editor')
  await logIn(page, server.baseUrl, '', { name: 'editor', email, password: PASSWORD })
  await page.waitForURL(`${server.baseUrl}/`)
  await page.getByRole('heading', { level: 1, name: /^Good \w+, editor$/ }).waitFor()
  const waitingList = page.getByRole('region', { name: 'Waiting for an agent' })
  await waitingList
    .getByText(/^waiting \d+ days$/)
    .first()
    .waitFor()
  await expect.poll(() => waitingList.getByRole('listitem').count()).toBe(5)
  const week = page.getByRole('region', { name: 'Last 7 days' })
  await week.getByText('helped by the bot').waitFor()
  await expect
    .poll(() => week.getByRole('list', { name: 'Conversations per day' }).getByRole('listitem').count())
    .toBe(7)
  await page.getByRole('region', { name: 'Content and webhooks' }).getByText('Everything is up to date').waitFor()
  expect(await shifts()).toBeLessThan(0.01)
  expect(await fourLooks(page, looks, 'home')).toEqual([])

  await waitingList
    .getByRole('link', { name: /^Reply to/ })
    .first()
    .click()
  await page.waitForURL(`**/inbox/${server.botId}/*`)
  expect(problems).toEqual([])
})

test('one click writes the answer to what could not be answered, on a phone too', async () => {
  const { server, page, problems } = await open({ viewport: PHONE, colorScheme: 'dark' })
  await page.goto(`${server.baseUrl}/`)
  const unanswered = page.getByRole('region', { name: 'Could not be answered' })
  await unanswered.getByRole('button', { name: `Write an answer: ${server.unanswered}` }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Question' }).inputValue()).toBe(server.unanswered)
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('Yes, from May to September, by the day.')
  await dialog.getByRole('button', { name: 'Add answer' }).click()
  await unanswered.getByText('Every question had an answer').waitFor()
  const { body } = await createVisitor(server.call, server.botId).say(server.unanswered)
  expect(body.reply).toContain('from May to September')
  expect(problems).toEqual([])
})

test('several bots are named on their rows, and a new workspace is led to its first bot', async () => {
  const { server, page, problems } = await open({ locale: 'de-DE' })
  const token = server.adminToken
  const second = { name: 'Bicycle shop', workspace_id: server.workspaceId }
  const { body: bot } = await server.call(`POST ${MANAGE}/bots`, { token, body: second })
  await createVisitor(server.call, bot.id).say('Who repairs my gears?')
  await page.goto(`${server.baseUrl}/`)
  await page
    .getByRole('region', { name: 'Konnte nicht beantwortet werden' })
    .getByText(/· Bicycle shop/)
    .waitFor()
  const byBot = page.getByRole('list', { name: 'Nach Bot' })
  await byBot
    .getByRole('listitem')
    .filter({ hasText: /Bicycle shop0 von 1 gelöst/ })
    .waitFor()
  expect(await byBot.getByRole('link').first().getAttribute('href')).toBe(`/bots/${server.botId}/analytics?range=week`)
  expect(await fourLooks(page, looks, 'home of two bots')).toEqual([])

  const { body: empty } = await server.call(`POST ${MANAGE}/workspaces`, { token, body: { name: 'Neu' } })
  await server.workspace(empty.id)
  await page.reload()
  await page.getByRole('heading', { name: 'Erstellen Sie Ihren ersten Bot' }).waitFor()
  expect(await fourLooks(page, looks, 'home without a bot')).toEqual([])
  await server.call(`POST ${MANAGE}/bots`, { token, body: { name: 'Ein Bot', workspace_id: empty.id } })
  await page.reload()
  await page.getByText('Keine Gespräche in den letzten 7 Tagen').waitFor()
  await page.getByText('Niemand wartet').waitFor()
  expect(await fourLooks(page, looks, 'home of a new bot')).toEqual([])
  await server.call(`POST ${MANAGE}/bots`, { token, body: { name: 'Noch ein Bot', workspace_id: empty.id } })
  await page.reload()
  await page.getByRole('link', { name: 'Noch ein Bot ausprobieren' }).waitFor()
  expect(await fourLooks(page, looks, 'home of new bots')).toEqual([])
  expect(problems).toEqual([])
})

test('of many problems some are shown, and the others on request', async () => {
  const { server, page, problems } = await open()
  await server.workspace(server.workspaceId)
  const params = { botId: server.botId }
  for (let number = 1; number <= 9; number++)
    await server.call(`POST ${MANAGE}/bots/{botId}/webhooks`, {
      token: server.adminToken,
      params,
      body: { url: `https://receiver-${number}.example/` },
    })
  await runStatement(server.database, `UPDATE webhooks SET failing_since = ${server.clock.now}`)
  await page.goto(`${server.baseUrl}/`)
  const attention = page.getByRole('region', { name: 'Content and webhooks' })
  await expect.poll(() => attention.getByText('is failing').count()).toBe(6)
  expect(await fourLooks(page, looks, 'home with problems')).toEqual([])
  await attention.getByRole('button', { name: 'and 3 more' }).click()
  await expect.poll(() => attention.getByText('is failing').count()).toBe(9)
  expect(await attention.getByRole('button').count()).toBe(0)
  expect(problems).toEqual([])
})

test('a new installation leads to the first bot and shows the demo shop', async () => {
  const server = await startServer('sqlite', { environment: { DEMO_BOT: 'on', BASE_URL: 'http://127.0.0.1' } })
  const options = { viewport: WIDE, cookie: await ownerCookie(server) }
  const { context, page, problems } = await openPage(file.browser(), server.baseUrl, options)
  onTestFinished(() => context.close())
  await page.goto(`${server.baseUrl}/`)
  await page.getByRole('heading', { name: 'Create your first bot' }).waitFor()
  const demo = page.getByRole('region', { name: 'See what a bot can do' })
  await expect.poll(() => demo.getByRole('listitem').count()).toBe(2)
  expect(await demo.getByRole('link', { name: 'Open the guides' }).getAttribute('href')).toBe('/docs')
  expect(await page.getByRole('region', { name: 'Waiting for an agent' }).count()).toBe(0)
  expect(await fourLooks(page, looks, 'home of a new installation')).toEqual([])

  const shopTab = context.waitForEvent('page')
  await demo.getByRole('link', { name: 'Look at the demo shop' }).click()
  const shop = await shopTab
  await shop.waitForURL(`${server.baseUrl}/demo`)
  await shop.getByRole('button', { name: 'Open chat' }).waitFor()

  await createVisitor(server.call, 'bot_demo').say('When is standard shipping free?')
  await page.reload()
  await page
    .getByRole('region', { name: 'Asked most this week' })
    .getByText('When is standard shipping free?')
    .waitFor()
  await page.getByRole('heading', { name: 'Create your first bot' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'New bot' }).click()
  await page.waitForURL(`${server.baseUrl}/bots/new`)
  expect(problems).toEqual([])
})
