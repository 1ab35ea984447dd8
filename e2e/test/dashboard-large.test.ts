// The dashboard on 10,000 conversations, 50,000 documents and 100,000 products: first pages at once, the rest on request.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../../server/test/harness/people.ts'
import { expectBelow, measureMs } from '../../server/test/harness/timing.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks } from '../src/four-looks.ts'
import { fillBot } from '../src/large-bot.ts'
import { startShop } from '../src/shop-bot.ts'
import { wholeFile } from '../src/whole-file.ts'

// Of a browser on a busy machine; a list that is not paged takes many times as long.
const AT_ONCE_MS = 5000
const MAX_BYTES = 100_000
// 0.4 and 0.6 s on an idle machine of two cores; before lists were paged, 7.6 s for 300 conversations.
const FIRST_LOAD_MS = 2000

const file = wholeFile(async (onEnd) => {
  const shop = await startShop({ environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  fillBot(shop.database, shop.botId, shop.clock.now)
  return { ...shop, cookie: await ownerCookie(shop) }
})

/** At once, or, while the machine is slow, in not much more time than a page takes that has nearly nothing to show. */
async function expectAtOnce(page: Page, show: () => Promise<unknown>) {
  await expectBelow(1, async () => {
    const ms = await measureMs(show)
    return ms < AT_ONCE_MS ? 0 : ms / (3 * (await measureMs(() => showLittle(page))))
  })
}

async function showLittle(page: Page) {
  const otherTab = await page.context().newPage()
  await otherTab.goto(`${file.running().baseUrl}/bots`)
  await otherTab.getByRole('heading', { level: 1 }).waitFor()
  await otherTab.close()
}

/** How large the answers of the API were. */
function weigh(page: Page): number[] {
  const sizes: number[] = []
  page.on('response', async (response) => {
    if (!response.url().includes('/api/manage/') || response.url().endsWith('/events')) return
    sizes.push((await response.body().catch(() => Buffer.of())).length)
  })
  return sizes
}

const lists = [
  { name: 'documents', place: '/knowledge/documents', list: 'Documents', first: 'Page number', page: 50 },
  { name: 'products', place: '/knowledge/products', list: 'Products', first: 'Lamp number 1', page: 50 },
]

test.each(lists)('$name come a page at a time', async ({ place, list, first, page: count }) => {
  const { baseUrl, botId } = file.running()
  const { page, problems } = await file.open()
  const sizes = weigh(page)
  const rows = page.locator(`[aria-label="${list}"]`).locator('li, tbody tr')
  await expectAtOnce(page, async () => {
    await page.goto(`${baseUrl}/bots/${botId}${place}`)
    await rows.filter({ hasText: first }).first().waitFor()
  })
  await expect.poll(() => rows.count()).toBe(count)
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows.nth(count).waitFor()
  await expect.poll(() => rows.count()).toBe(2 * count)
  expect(Math.max(...sizes)).toBeLessThan(MAX_BYTES)
  expect(problems).toEqual([])
})

test('one of many documents is found by its title, and chosen by keys', async () => {
  const { baseUrl, botId } = file.running()
  const { page } = await file.open()
  await page.goto(`${baseUrl}/bots/${botId}/knowledge/documents`)
  const rows = page.getByRole('table', { name: 'Documents' }).locator('tbody tr')
  await rows.first().waitFor()
  await page.keyboard.press('/')
  await expectAtOnce(page, async () => {
    await page.getByRole('searchbox').fill('')
    await page.keyboard.type('number 4321')
    // 4321 and 43210 to 43219.
    await expect.poll(() => rows.filter({ hasText: 'Page number 4321' }).count()).toBe(11)
  })
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  expect(await fourLooks(page, new Set(), 'a list with a selection')).toEqual([])
})

test('search, order, export and selection of many documents cover all of them, and survive a failure', async () => {
  const { baseUrl, botId } = file.running()
  const { page } = await file.open({ acceptDownloads: true })
  await page.goto(`${baseUrl}/bots/${botId}/knowledge/documents`)
  const rows = page.getByRole('table', { name: 'Documents' }).locator('tbody tr')
  const search = page.getByRole('searchbox')
  // 432, 4320 to 4329 and 43200 to 43299.
  await search.fill('number 432')
  await rows.filter({ hasText: 'Page number 432' }).nth(49).waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByText('50 loaded rows selected').waitFor()
  await page.getByRole('button', { name: 'Select all results' }).click()
  await page.getByText('111 selected').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(112)

  await page.route('**/documents?*sort=title*', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'validation_failed', message: 'No.' } } }),
  )
  await page.getByRole('button', { name: 'Title' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await expect.poll(() => search.inputValue()).toBe('number 432')
  await page.unroute('**/documents?*sort=title*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rows.first().getByText('Page number 432', { exact: true }).waitFor()
})

test('one product of 100,000 is found by its name', async () => {
  const { baseUrl, botId } = file.running()
  const { page } = await file.open()
  await page.goto(`${baseUrl}/bots/${botId}/knowledge/products`)
  const rows = page.getByRole('table', { name: 'Products' }).locator('tbody tr')
  await rows.first().waitFor()
  await expectAtOnce(page, async () => {
    await page.getByRole('searchbox').fill('')
    await page.getByRole('searchbox').fill('number 98765')
    await rows.filter({ hasText: 'Lamp number 98765' }).waitFor()
  })
  await expect.poll(() => rows.count()).toBe(1)
})

test('Ctrl+K finds one of 100,000 products, or a page, and goes there by keys', async () => {
  const { baseUrl, botId } = file.running()
  const { page, problems } = await file.open()
  await page.goto(`${baseUrl}/bots/${botId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Search everything' })
  await page.keyboard.press('Control+k')
  await expectAtOnce(page, async () => {
    await dialog.getByRole('combobox').fill('')
    await dialog.getByRole('combobox').fill('number 98765')
    await dialog.getByRole('option', { name: 'Lamp number 98765', selected: true }).waitFor()
  })
  await page.keyboard.press('Enter')
  await page.waitForURL('**/knowledge/products?q=*')
  const rows = page.getByRole('table', { name: 'Products' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(1)

  await page.getByRole('button', { name: 'Search Ctrl K' }).click()
  await dialog.getByRole('combobox').fill('de')
  await dialog.getByRole('option', { name: 'Documents' }).waitFor({ state: 'detached' })
  await dialog.getByRole('option', { name: 'Delivery log' }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Delivery log' }).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
})

test('the inbox shows the newest of 10,000 conversations, goes on, keeps its place, and finds one by its words', async () => {
  const { baseUrl, botId } = file.running()
  const { page, problems } = await file.open()
  const sizes = weigh(page)
  const threads = page.getByRole('list', { name: 'Conversations' }).getByRole('link')
  await expectAtOnce(page, async () => {
    await page.goto(`${baseUrl}/bots/${botId}/inbox`)
    await threads.nth(49).waitFor()
  })
  // Near the end is enough: nobody waits there.
  await page.locator('.threads-scroll').evaluate((list) => {
    list.scrollTop = list.scrollHeight - list.clientHeight - 300
  })
  await threads.nth(99).waitFor()
  await page.getByRole('list', { name: 'Conversations' }).getByRole('checkbox').nth(98).check()
  const more = page.locator('.list-chosen').getByRole('button', { name: 'Actions' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByText('1 selected').waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'Add a tag' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('far down')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a tag' }).click()
  await threads.nth(98).filter({ hasText: 'far down' }).waitFor()
  expect(await threads.count()).toBeGreaterThanOrEqual(100)
  await expectAtOnce(page, async () => {
    await page.getByRole('searchbox').fill('')
    await page.getByRole('searchbox').fill('number 9876 about')
    await expect.poll(() => threads.count()).toBe(1)
  })
  expect(Math.max(...sizes)).toBeLessThan(MAX_BYTES)
  expect(problems).toEqual([])
})

test('home and the inbox of 10,000 conversations load at once in an empty browser', async () => {
  const { botId, call, cookie, workspaceId } = file.running()
  // The owner's session starts in another workspace.
  await openBrowser(call, cookie).call('PATCH /api/manage/v1/session', { body: { workspace_id: workspaceId } })
  await expectBelow(FIRST_LOAD_MS, async () => ({
    home: await firstLoadMs('/', (page) =>
      page.getByRole('region', { name: 'Waiting for an agent' }).getByRole('listitem').first(),
    ),
    inbox: await firstLoadMs(`/inbox?bot=${botId}`, (page) =>
      page.getByRole('list', { name: 'Conversations' }).getByRole('link').nth(49),
    ),
  }))
})

/** What the page's own thread has to do with nothing in its cache, whoever else uses the machine. */
async function firstLoadMs(place: string, content: (page: Page) => Locator): Promise<number> {
  const { context, page } = await file.open()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(file.running().baseUrl + place)
  await content(page).waitFor()
  const { metrics } = await devTools.send('Performance.getMetrics')
  await context.close()
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.POSITIVE_INFINITY)
}
