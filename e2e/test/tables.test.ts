// A small table in a reply, in the widget, the inbox and the playground: real, accessible, and scrolling sideways by
// itself where it does not fit.
import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import { showTheme, sideways } from '../src/look-at-page.ts'
import { addShop } from '../src/shop-bot.ts'
import { wholeFile } from '../src/whole-file.ts'
import { arrive, violationsOf } from '../src/widget-page.ts'

const QUESTION = 'What does shipping cost per country?'
const answer = `Shipping depends on the country:

| | Standard | Arrives in | Express | Arrives by express in |
| --- | --- | --- | --- | --- |
| Austria | 5.90 € | two to four working days | 14.90 € | the next working day before noon |
| Switzerland | 12.90 € | three to six working days | 24.90 € | two working days |
| <b>Norway</b> | 12.90 € | [see the page](https://shop.test/norway) | – | – |

Customs are **included**.`

// For a look at them: SCREENSHOTS=folder npm test -- e2e/test/tables
const folder = process.env.SCREENSHOTS
if (folder) mkdirSync(folder, { recursive: true })
const keep = async (page: Page, name: string) => {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})
const openShop = () => addShop(file.running(), { answers: [{ question: QUESTION, answer }] })

/** The table as assistive technology gets it, and whether it scrolls within its own frame. */
async function readTable(table: Locator) {
  await table.waitFor()
  const cells = (row: Locator) => row.locator('th, td').allInnerTexts()
  return {
    columns: await table.getByRole('columnheader').allInnerTexts(),
    rows: await table.getByRole('rowheader').allInnerTexts(),
    norway: await cells(table.getByRole('row').last()),
    frame: await table.evaluate((node) => {
      const frame = node.parentElement as HTMLElement
      return { isWider: frame.scrollWidth > frame.clientWidth, tabIndex: frame.tabIndex }
    }),
  }
}

const expected = {
  columns: ['Standard', 'Arrives in', 'Express', 'Arrives by express in'],
  rows: ['Austria', 'Switzerland', '<b>Norway</b>'],
  norway: ['<b>Norway</b>', '12.90 €', 'see the page', '–', '–'],
}

test.each([
  ['phone', PHONE, 'light'],
  ['phone', PHONE, 'dark'],
  ['wide', WIDE, 'light'],
  ['wide', WIDE, 'dark'],
] as const)('the widget shows it as a table: %s, $2', async (name, viewport, colorScheme) => {
  const shop = await openShop()
  const { page, inWidget, say, answers, open, problems } = await arrive(file.browser(), shop, {
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
  })
  await open()
  await say(QUESTION)
  await answers(1)
  const table = inWidget('.entry.bot table')
  const { frame, ...tableContent } = await readTable(table)
  expect(tableContent).toEqual(expected)
  expect(frame).toEqual({ isWider: true, tabIndex: 0 })
  const log = inWidget('[role=log]')
  expect(await log.innerText()).not.toContain('|')
  expect(await log.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  await keep(page, `widget-${name}-${colorScheme}`)
  await table.locator('..').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => table.evaluate((node) => node.parentElement?.scrollLeft)).toBeGreaterThan(0)
  expect(problems).toEqual([])

  // After a reload, from the history.
  await page.reload()
  // On a phone the panel covers the page, so it does not open by itself.
  if (viewport === PHONE) await open()
  expect((await readTable(table)).rows).toEqual(expected.rows)
})

test('the inbox and the playground show it as a table, and lists of conversations without pipes', async () => {
  const shop = await openShop()
  const visitor = createVisitor(shop.call, shop.botId)
  await visitor.say(QUESTION)
  const { items } = await shop.manage('GET /api/manage/v1/bots/{botId}/conversations')
  expect(items[0].last_message.text).toContain('Austria: Standard 5.90 €, Arrives in two to four working days')
  expect(items[0].last_message.text).not.toMatch(/[|*]/)

  const { page, problems } = await file.open({ viewport: WIDE })
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/inbox/${items[0].id}`)
  const messages = page.getByRole('log', { name: 'Messages' })
  expect(await readTable(messages.getByRole('table'))).toMatchObject(expected)
  await page.setViewportSize(PHONE)
  expect((await readTable(messages.getByRole('table'))).frame).toEqual({ isWider: true, tabIndex: 0 })
  expect(await sideways(page)).toBe(0)
  expect(await fourLooks(page, new Set(), 'inbox')).toEqual([])
  for (const [viewport, theme] of looks) await keepIn(page, viewport, theme, 'inbox')

  await page.setViewportSize(WIDE)
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/playground`)
  await page.getByPlaceholder('Ask a question…').fill(QUESTION)
  await page.keyboard.press('Enter')
  const table = page.locator('.chat-log').getByRole('table')
  expect(await readTable(table)).toMatchObject(expected)
  expect(await fourLooks(page, new Set(), 'playground')).toEqual([])
  await page.setViewportSize(PHONE)
  expect((await readTable(table)).frame.isWider).toBe(true)
  for (const [viewport, theme] of looks) await keepIn(page, viewport, theme, 'playground')
  expect(problems).toEqual([])
})

const looks = [
  [PHONE, 'light'],
  [PHONE, 'dark'],
  [WIDE, 'light'],
  [WIDE, 'dark'],
] as const

async function keepIn(page: Page, viewport: typeof PHONE, theme: 'light' | 'dark', name: string) {
  if (!folder) return
  await page.setViewportSize(viewport)
  await showTheme(page, theme)
  await keep(page, `${name}-${viewport.width}-${theme}`)
}
