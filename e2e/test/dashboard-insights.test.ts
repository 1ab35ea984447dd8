// The screens about the widget's look, handover and leads, figures, open questions and privacy, as people use them.

import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { waitFor } from '../../server/test/harness/wait.ts'
import { startBusyBot } from '../src/busy-bot.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'
import { visitorOf } from '../src/widget-page.ts'

const looks: Looks = new Set()
const BOT = 'GET /api/manage/v1/bots/{botId}'

const file = wholeFile(async (onEnd) => {
  const server = await startBusyBot(onEnd)
  return { ...server, cookie: await ownerCookie(server) }
})

/** Somebody logged in, on a screen of a bot that has had visitors. */
async function open(place: string, options: BrowserContextOptions = {}) {
  const server = file.running()
  const tab = await file.open({ viewport: WIDE, ...options })
  await tab.context.clock.setFixedTime(server.clock.now)
  await tab.page.goto(`${server.baseUrl}/bots/${server.botId}${place}`)
  return { server, ...tab }
}

test('title and colour show in the preview while they are typed, and in the real widget once they are saved', async () => {
  const { server, context, page, problems } = await open('/settings/appearance')
  const preview = page.frameLocator('iframe')
  await preview.locator('docent-chat .title').getByText('Bot').waitFor()
  await page.getByRole('textbox', { name: 'Title' }).fill('Ask the shop')
  await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#8a1c4b')
  await preview.locator('docent-chat .title').getByText('Ask the shop').waitFor()
  expect(
    await page
      .getByRole('textbox', { name: 'Colour', exact: true })
      .evaluate((field) => field === document.activeElement),
  ).toBe(true)
  const before = await server.manage(BOT)
  expect(before.widget.title).toBeNull()

  // What is not saved is not lost by a click elsewhere.
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })

  const visitor = visitorOf(await context.newPage())
  await visitor.page.goto(`${server.baseUrl}/chat/${server.botId}`)
  await visitor.inWidget('.title').getByText('Ask the shop').waitFor()
  const mark = visitor.inWidget('.header .mark')
  expect(await mark.evaluate((node) => getComputedStyle(node).backgroundColor)).toBe('rgb(138, 28, 75)')
  expect(problems).toEqual([])
})

test('texts written for another language greet the visitors who use it', async () => {
  const { call, adminToken, botId } = file.running()
  const topic = { label: 'Topic', ask: 'What is it about?', type: 'choice', choices: ['Billing', 'Delivery'] }
  const returnsButton = { type: 'question', label: 'Returns', question: 'How do I return something?' }
  const body = { widget: { greeting_buttons: [returnsButton] }, handover: { questions: [topic] } }
  await call('PATCH /api/manage/v1/bots/{botId}', { token: adminToken, params: { botId }, body })
  const { server, page, problems } = await open('/settings/appearance')
  const card = page.getByRole('region', { name: 'Other languages' })
  await card.getByRole('combobox', { name: 'Add a language' }).click()
  await page.getByRole('option', { name: 'French' }).click()
  const french = card.getByRole('listitem', { name: 'French' })
  await french
    .getByText('Missing: greeting, questions, fallback message, buttons, questions before a handover')
    .waitFor()
  await french.getByRole('textbox', { name: 'Greeting' }).fill('Bonjour et bienvenue !')
  await french.getByRole('textbox', { name: 'Suggested questions' }).fill('Quels sont les délais de livraison ?')
  await french.getByRole('textbox', { name: 'Button “Returns”' }).fill('Retours')
  await french.getByRole('textbox', { name: 'What “Returns” asks' }).fill('Comment renvoyer un article ?')
  await french.getByRole('textbox', { name: 'Question before a handover: Topic' }).fill('De quoi s’agit-il ?')
  await french.getByRole('textbox', { name: 'Choices: Topic' }).fill('Facture')
  await french.getByText('Write 2 lines, one for each choice.').waitFor()
  await french.getByRole('textbox', { name: 'Choices: Topic' }).fill('Facture\nLivraison')
  await french.getByText('Missing: fallback message').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect((await server.manage(BOT)).translations).toMatchObject([
    {
      language: 'fr',
      greeting: 'Bonjour et bienvenue !',
      buttons: [{ label: 'Returns', text: 'Retours', question: 'Comment renvoyer un article ?' }],
      handover_questions: [{ label: 'Topic', ask: 'De quoi s’agit-il ?', choices: ['Facture', 'Livraison'] }],
    },
  ])
  expect(problems).toEqual([])
  expect(await fourLooks(page, looks, 'texts in other languages')).toEqual([])

  const { page: abroad } = await file.open({ viewport: WIDE, locale: 'fr-CA' })
  const visitor = visitorOf(abroad)
  await abroad.goto(`${server.baseUrl}/chat/${server.botId}`)
  await visitor.inWidget('.entry.bot').getByText('Bonjour et bienvenue !').waitFor()
  await visitor.inWidget('.buttons').getByText('Quels sont les délais de livraison ?').waitFor()
  await visitor.inWidget('.buttons').getByText('Retours').waitFor()
})

test('a preview sends nothing: no conversation comes of it', async () => {
  const { page } = await open('/settings')
  const chatRequests: string[] = []
  page.on('request', (request) => request.url().includes('/api/chat/') && chatRequests.push(request.url()))
  await page.getByRole('link', { name: 'Appearance' }).click()
  await page.frameLocator('iframe').locator('docent-chat .title').waitFor()
  await page.getByText('Closed', { exact: true }).click()
  await page.frameLocator('iframe').locator('docent-chat .launcher').waitFor()
  expect(chatRequests).toEqual([])
  expect((await page.evaluate(() => Object.keys(localStorage))).filter((name) => name.startsWith('docent:'))).toEqual(
    [],
  )
})

test('office hours, words that ask for a person and fields of the contact form are saved as they stand', async () => {
  const { server, page, problems } = await open('/settings/people')
  await page.getByRole('textbox', { name: 'Handover keywords' }).fill('complaint\nlawyer')
  await page.getByRole('switch', { name: 'Limit handover to office hours' }).click()
  await page.getByText('Sat', { exact: true }).click()
  await page.getByLabel('To', { exact: true }).fill('00:00')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByRole('menuitem', { name: 'Custom field' }).click()
  await page.getByRole('textbox', { name: 'Label' }).last().fill('Größe in cm')
  await page.getByRole('button', { name: 'Move Größe in cm up' }).click()
  await page.getByRole('button', { name: 'Remove Name' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { handover, lead_form } = await server.manage(BOT)
  expect(handover.keywords).toEqual(['complaint', 'lawyer'])
  expect(handover.hours.open).toEqual([
    { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '09:00', to: '24:00' },
  ])
  expect(lead_form.fields.map(({ name }: { name: string }) => name)).toEqual(['email', 'grosse_in_cm', 'message'])
  expect(problems).toEqual([])
})

test('a figure leads over its chart to the conversations it counts, in the days of any time zone', async () => {
  const server = file.running()
  await server.call('POST /api/manage/v1/bots', {
    token: server.adminToken,
    body: { name: 'Outlet', workspace_id: server.workspaceId },
  })
  const { page, problems } = await open('/analytics?tz=America/New_York')
  await page.getByRole('button', { name: /^Resolution \d/ }).click()
  // The bots of the workspace beside each other.
  const comparison = page.getByRole('table', { name: 'Bots compared' })
  await comparison.getByRole('link', { name: 'Outlet' }).waitFor()
  await comparison.getByRole('columnheader', { name: 'Automation' }).waitFor()
  expect(await fourLooks(page, looks, 'a figure of a month')).toEqual([])
  await page.getByText('View as table').first().click()
  const rows = page.getByRole('region', { name: 'Resolution: View as table' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(31)
  const exported = async (way: string) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).first().click()
    await page.getByRole('menuitem', { name: way }).click()
    const file = await download
    return { name: file.suggestedFilename(), lines: (await readFile(await file.path(), 'utf8')).split('\r\n') }
  }
  const byDay = await exported('By day')
  expect([byDay.name, byDay.lines.length]).toEqual(['analytics-2026-10-17-2026-11-15.csv', 32])
  const byTopic = await exported('By topic')
  expect(byTopic.name).toBe('analytics-topic-2026-10-17-2026-11-15.csv')
  expect(byTopic.lines[0]).toContain('question,count,conversations,involved,confirmed,assumed')
  const byPage = await exported('By page')
  expect(byPage.lines[0]).toContain('url,conversations,involved,confirmed,assumed')
  const breakdown = page.getByRole('region', { name: 'Resolution by' })
  for (const [way, name] of [
    ['Page', 'https://shop.test/kestrel'],
    ['Language', 'English'],
    ['Topic', 'How long does delivery take?'],
  ] as const) {
    await breakdown.getByText(way, { exact: true }).click()
    await breakdown.getByText(name).first().waitFor()
  }

  await page.getByRole('button', { name: 'Custom range' }).click()
  await page.getByRole('textbox', { name: 'From' }).fill('2026-11-01')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('2026-11-10')
  await page.getByRole('button', { name: 'Apply' }).click()
  await waitFor(async () => (await rows.count()) === 11, 'ten days')
  expect(new URL(page.url()).searchParams.get('figure')).toBe('resolution_rate')
  const plot = page.getByRole('img', { name: /^Resolution/ })
  const box = await plot.boundingBox()
  await plot.click({ position: { x: (box?.width ?? 0) - 8, y: 100 } })
  await page.getByText('Resolved by the bot · 10 Nov 2026').waitFor()
  const { had, since } = Object.fromEntries(new URL(page.url()).searchParams)
  expect([had, since]).toEqual(['resolved', '2026-11-10T05:00:00.000Z'])
  const list = page.getByRole('list', { name: 'Conversations' })
  await waitFor(async () => (await list.getByRole('listitem').count()) > 0, 'conversations')
  expect(problems).toEqual([])
})

test('an unanswered question is answered with one dialog, leaves the list, and is then known', async () => {
  const { server, page, problems } = await open('/unanswered', { viewport: PHONE, colorScheme: 'dark' })
  const topics = page.getByRole('list', { name: 'Topics' })
  await topics.getByText('No page covers this.').waitFor()
  await topics.getByRole('link', { name: 'View conversations' }).click()
  await page.getByText(`“${server.unanswered}”`).waitFor()
  await page.goBack()
  await page.getByText('All questions').click()
  const list = page.getByRole('list', { name: 'Unanswered questions' })
  await list.getByText(server.unanswered).waitFor()
  await list.getByRole('button', { name: `Actions: ${server.unanswered}` }).click()
  await page.getByRole('menuitem', { name: 'Dismiss' }).click()
  await list.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await list.waitFor()
  await page.getByText('Topics', { exact: true }).click()
  await topics.getByRole('button', { name: `Write an answer: ${server.unanswered}` }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Question' }).inputValue()).toBe(server.unanswered)
  await dialog.getByRole('textbox', { name: 'Other phrasings' }).fill('Can I hire a canoe?')
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('Yes, from May to September, by the day.')
  expect(await fourLooks(page, looks, 'an answer to an open question')).toEqual([])
  await dialog.getByRole('button', { name: 'Add answer' }).click()
  await page.getByRole('heading', { name: 'No unanswered questions' }).waitFor()
  const { body } = await createVisitor(server.call, server.botId).say(server.unanswered)
  expect(body.reply).toContain('from May to September')
  expect(problems).toEqual([])
})

test('the sidebar fits 900 pixels with settings folded, and a phone has a menu with a scrim and the bot’s name', async () => {
  const { server, page, problems } = await open('')
  const side = page.locator('.shell-side .side')
  const fits = () => side.evaluate((node) => node.scrollHeight <= node.clientHeight)
  const settings = side.getByRole('button', { name: 'Settings' })
  await settings.waitFor()
  expect([await settings.getAttribute('aria-expanded'), await fits()]).toEqual(['false', true])
  await settings.click()
  await side.getByRole('link', { name: 'Privacy' }).click()
  await page.getByRole('heading', { name: 'Privacy' }).waitFor()
  expect([await settings.getAttribute('aria-expanded'), await fits()]).toEqual(['true', true])

  await page.setViewportSize(PHONE)
  const { name } = await server.manage(BOT)
  await page.locator('.shell-top').getByText(name).waitFor()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').waitFor()
  // Beside the menu lies what dims the page; a click on it closes the menu.
  await page.mouse.click(370, 400)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('a visitor is found, can be exported and, once their name is typed, erased', async () => {
  const { server, page, problems } = await open('/settings/privacy')
  await page.getByRole('searchbox').fill('visitor-7-0@')
  const name = 'Visitor 7-0'
  const rows = page.getByRole('list', { name: 'Visitors' })
  // The list as it was before is still there for a moment.
  await waitFor(async () => (await rows.getByRole('listitem').count()) === 1, 'only the one that was looked for')
  await rows.getByText(name, { exact: true }).waitFor()
  await page.getByRole('button', { name: `Actions: ${name}` }).click()
  const file = page.getByRole('menuitem', { name: 'Export as JSON' })
  expect(await file.getAttribute('download')).toMatch(/^visitor-.+\.json$/)
  const address = (await file.getAttribute('href')) ?? ''
  const visitorExport = await page.evaluate(async (url) => (await fetch(url)).json(), address)
  expect(visitorExport).toMatchObject({ visitor: { email: 'visitor-7-0@example.test' } })
  await page.getByRole('menuitem', { name: 'Erase' }).click()
  const dialog = page.getByRole('dialog')
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true })
  expect(await erase.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill(name)
  await erase.click()
  await page.getByRole('heading', { name: 'No visitors found' }).waitFor()
  const remainingVisitors = await server.call(`${BOT}/visitors`, {
    token: server.adminToken,
    params: { botId: server.botId },
    query: { q: 'visitor-7-0@' },
  })
  expect(remainingVisitors.body.items).toEqual([])
  expect(problems).toEqual([])
})
