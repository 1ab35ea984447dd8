// A shop connected with its key: the form, what a wrong key says, and that the stored key is never shown.
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startWooCommerce, wooProduct } from '../../server/test/harness/external/shop-servers.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks } from '../src/four-looks.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }
const looks: Looks = new Set()

// For a look at them: SCREENSHOTS=folder npm test -- e2e/test/dashboard-shops
const folder = process.env.SCREENSHOTS
if (folder) mkdirSync(folder, { recursive: true })
const keep = async (page: Page, name: string) => {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

async function openProducts(options: Parameters<typeof file.open>[0] = {}) {
  const { call, baseUrl } = file.running()
  const bot = await call('POST /api/manage/v1/bots', { token: ADMIN_TOKEN, body: { name: 'Lamp shop' } })
  const tab = await file.open({ reducedMotion: 'reduce', ...options })
  await tab.page.goto(`${baseUrl}/bots/${bot.body.id}/knowledge/products`)
  return tab
}

test('a WooCommerce shop is connected, a wrong key is explained and replaced, and the key is never shown', async () => {
  const shop = await startWooCommerce()
  shop.products = [wooProduct(1, 'Desk lamp'), wooProduct(2, 'Floor lamp')]
  const { page, problems } = await openProducts()
  await page.getByRole('button', { name: 'Add products' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name: 'WooCommerce shop' }).click()
  await dialog.getByLabel('Address of the shop').fill(`${shop.site.url}/store`)
  await dialog.getByLabel('Consumer key').fill('ck_wrong_key_9999')
  await dialog.getByLabel('Consumer secret').fill('cs_secret')
  const violations = await fourLooks(page, looks, 'a shop with a key')
  await keep(page, 'form')
  await dialog.getByRole('button', { name: 'Pull products' }).click()
  await page.getByText('The shop rejected the key.', { exact: false }).first().waitFor()
  await keep(page, 'list')
  await page.getByRole('link', { name: `${shop.site.url}/store` }).click()
  await page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
  await page.getByText('Stored, ends in 9999').waitFor()
  expect(await page.content()).not.toContain('ck_wrong')
  await keep(page, 'settings')
  await dialog.getByLabel('Consumer key').fill('ck_1234567890abcd')
  await dialog.getByLabel('Consumer secret').fill('cs_secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Pull now' }).click()
  await page.getByText('2 added, 0 updated, 0 deleted').waitFor()
  await keep(page, 'feed')
  expect(violations).toEqual([])
  expect(problems).toEqual([])
})

test('a Shopify shop asks for its access token, in German on a small screen too', async () => {
  const { page, problems } = await openProducts({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: 'Produkte hinzufügen' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Quelle' }).click()
  await page.getByRole('option', { name: 'Shopify-Shop' }).click()
  await dialog.getByLabel('Zugriffstoken').waitFor()
  expect(await dialog.getByLabel('Consumer-Secret').count()).toBe(0)
  await keep(page, 'form-de')
  expect(problems).toEqual([])
})

test('products lead to the sync key, whose first is created without a warning', async () => {
  const { page, problems } = await openProducts()
  await page.getByRole('link', { name: 'Set up product sync' }).click()
  const card = page.getByRole('region', { name: 'Product sync key' })
  const create = card.getByRole('button', { name: 'Create sync key' })
  await create.waitFor()
  const isInView = () =>
    create.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  await expect.poll(isInView).toBe(true)
  await create.click()
  const dialog = page.getByRole('dialog', { name: 'Create sync key' })
  await dialog.getByText('If this bot already has a sync key').waitFor()
  await dialog.getByRole('button', { name: 'Create sync key' }).click()
  await page.getByRole('dialog', { name: 'Your sync key' }).getByText('dct_sync_', { exact: false }).waitFor()
  expect(problems).toEqual([])
})
