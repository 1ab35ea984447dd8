// Updates the screenshots in docs/images/dashboard: `npm run screenshots -w e2e`, after `npm test` or `npm start` has
// built the pages.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openBrowser as client } from '../../server/test/harness/people.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { launchBrowser } from './browser.ts'
import { startBusyBot } from './busy-bot.ts'
import { openPage, ownerCookie } from './dashboard.ts'
import { PHONE, WIDE } from './four-looks.ts'
import { showTheme } from './look-at-page.ts'
import { makeNavigator } from './walk.ts'

const folder = fileURLToPath(new URL('../../docs/images/dashboard/', import.meta.url))
const BOT = '/api/manage/v1/bots/{botId}'

const cleanups: (() => unknown)[] = []
const browser = await launchBrowser()
const server = await startBusyBot((stop) => cleanups.push(stop))
const { botId, manage } = server
const cookie = await ownerCookie(server)
const owner = client(server.call, cookie)
await owner.call('PATCH /api/manage/v1/session', { body: { workspace_id: server.workspaceId } })
const conversationId = await addContent()

const bot = `/bots/${botId}`
const inbox = `/inbox/${botId}/${conversationId}`
const pictures = [
  { name: 'overview-1440', viewport: WIDE, theme: 'light', place: bot },
  { name: 'inbox-1440', viewport: WIDE, theme: 'light', place: inbox },
  { name: 'inbox-390', viewport: PHONE, theme: 'dark', place: inbox },
  { name: 'appearance-1440', viewport: WIDE, theme: 'light', place: `${bot}/settings/appearance` },
  { name: 'analytics-1440', viewport: WIDE, theme: 'light', place: `${bot}/analytics?range=month` },
  { name: 'analytics-390', viewport: PHONE, theme: 'dark', place: `${bot}/analytics?range=month` },
  { name: 'playground-1440', viewport: WIDE, theme: 'light', place: `${bot}/playground`, prepare: ask },
] as const

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
let bytes = 0
for (const { name, viewport, theme, place, ...more } of pictures) {
  const { page, context, baseUrl } = await openPage(browser, server.baseUrl, { cookie, viewport, colorScheme: theme })
  await context.clock.setFixedTime(server.clock.now)
  const { goTo, settle } = makeNavigator(page, baseUrl)
  await goTo(place)
  if ('prepare' in more) await more.prepare(page)
  await settle()
  await showTheme(page, theme)
  const path = `${folder}${name}.jpg`
  await page.screenshot({ path, type: 'jpeg', quality: 60 })
  bytes += statSync(path).size
  await context.close()
}
await browser.close()
for (const end of cleanups) await end()
console.log(`${bytes} bytes in ${folder}`)

/** Adds texts of the widget and a conversation answered by an agent. */
async function addContent(): Promise<string> {
  const suggested_questions = ['How long does delivery take?', 'Where do I send returns?']
  const widget = {
    greeting: 'Hello! Ask us about delivery, returns and bikes.',
    suggested_questions,
    colour: '#0b6b66',
  }
  await manage(`PATCH ${BOT}`, { body: { name: 'Bicycle shop', widget } })
  const visitor = createVisitor(server.call, botId)
  await visitor.say('How long does delivery take?', { visitor: { name: 'Maria Huber' } })
  await visitor.say('Do you deliver to Croatia, too?')
  await visitor.post('handover', {})
  const { items } = await manage(`GET ${BOT}/conversations`)
  const params = { botId, conversationId: items[0].id as string }
  await owner.call(`PATCH ${BOT}/conversations/{conversationId}`, { params, body: { add_tags: ['delivery'] } })
  await owner.call(`POST ${BOT}/conversations/{conversationId}/messages`, {
    params,
    body: { text: 'Hello Maria, we do: it takes four to six working days.' },
  })
  await visitor.say('Great, thank you!')
  return params.conversationId
}

async function ask(page: Page) {
  await page.getByPlaceholder('Ask a question…').fill('What does express delivery cost?')
  await page.keyboard.press('Enter')
  await page.getByText('12 euros').first().waitFor()
}
