// What the team sees of where a visitor is and comes from, as a real browser tells it.
import { expect, test } from 'vitest'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks } from '../src/four-looks.ts'
import { serveHostPage, shopHtml } from '../src/host-page.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'
import { visitorOf } from '../src/widget-page.ts'

const CONVERSATIONS = '/api/manage/v1/bots/{botId}/conversations'
const looks: Looks = new Set()
const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

test('a conversation shows the site a visitor came from, their time and country, and what the page states', async () => {
  const { call, baseUrl } = file.running()
  const bot = await call('POST /api/manage/v1/bots', { token: ADMIN_TOKEN, body: { name: 'Bicycle shop' } })
  const botId = bot.body.id as string
  const address = await serveHostPage({ html: shopHtml(baseUrl, botId) })
  const otherSiteUrl = await serveHostPage({
    html: `<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,"><a href="${address}">Shop</a>`,
  })
  const { page, problems } = await file.open({ reducedMotion: 'reduce', timezoneId: 'Asia/Kolkata', locale: 'en-US' })
  await page.goto(otherSiteUrl)
  await page.getByRole('link', { name: 'Shop' }).click()
  const visitor = visitorOf(page)
  await visitor.open()
  await page.evaluate(() => window.Docent?.identify({ name: 'Ada', attributes: { plan: 'gold', cart_items: 3 } }))
  await visitor.say('Hello')
  await visitor.answer().waitFor()

  await page.goto(`${baseUrl}/bots/${botId}/inbox`)
  await page.getByRole('link', { name: /Ada/ }).click()
  const details = page.getByRole('region', { name: 'Details' })
  const shown = () => details.textContent()
  await expect.poll(shown).toContain(otherSiteUrl.replace('http://', '').replace(/\/$/, ''))
  await expect.poll(shown).toMatch(/India.*Asia\/(?:Kolkata|Calcutta), \d+:\d\d [AP]M/)
  const statedFields = page.getByRole('region', { name: 'Stated by the page (not verified)' })
  await expect.poll(() => statedFields.textContent()).toMatch(/plan.*gold.*cart_items.*3/)
  expect(await shown()).not.toContain('gold')
  expect([await fourLooks(page, looks, 'visit'), problems]).toEqual([[], []])
})

test('what a server states with a chat API key is shown among the details', async () => {
  const { baseUrl, call, createBot } = file.running()
  const { botId, key } = await createBot()
  const body = { bot_id: botId, message: 'Hello', metadata: { plan: 'silver' } }
  expect((await call('POST /api/v1/chat', { token: key, body })).status).toBe(200)
  const { items } = (await call(`GET ${CONVERSATIONS}`, { token: ADMIN_TOKEN, params: { botId } })).body
  const { page, problems } = await file.open()
  await page.goto(`${baseUrl}/bots/${botId}/inbox/${items[0].id}`)
  const details = page.getByRole('region', { name: 'Details' })
  await expect.poll(() => details.textContent()).toMatch(/plan.*silver/)
  expect(await page.getByText('not verified').count()).toBe(0)
  expect(problems).toEqual([])
})
