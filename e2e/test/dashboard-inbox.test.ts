// The inbox as people behind the bot use it, with a visitor at the other end.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { joinWorkspace } from '../../server/test/harness/people.ts'
import { startServer } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { ownerCookie, person } from '../src/dashboard.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import { serveHostPage, shopHtml } from '../src/host-page.ts'
import type { Looks } from '../src/looks.ts'
import { addShop } from '../src/shop-bot.ts'
import { wholeFile } from '../src/whole-file.ts'
import { visitorOf } from '../src/widget-page.ts'

const CONVERSATION = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

const looks: Looks = new Set()
const openShop = () => addShop(file.running())
type Shop = Awaited<ReturnType<typeof openShop>>

/** Somebody with the role of owner in front of the inbox. */
async function openInbox(shop: Shop, options: BrowserContextOptions & { cookie?: string } = {}) {
  const opened = await file.open({ viewport: WIDE, ...options })
  await opened.page.goto(`${shop.baseUrl}/bots/${shop.botId}/inbox`)
  return opened
}

const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })
const threads = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('link')

test('a live conversation in the widget is taken over, answered and handed back, and both sides see it at once', async () => {
  const shop = await openShop()
  const { page, problems } = await openInbox(shop)
  await page.getByText('No conversations yet').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  const address = await serveHostPage({ html: shopHtml(shop.baseUrl, shop.botId) })
  const { page: visitorPage } = await file.open({ cookie: '' })
  const visitor = visitorOf(visitorPage)
  await visitorPage.goto(address)
  await visitor.open()
  await visitor.say('How long does delivery take?')
  await visitor.answers(1)
  // Nobody reloads: the line tells.
  await threads(page).first().waitFor()
  await visitor.inWidget('.header').getByLabel('Talk to a person').click()
  await page.getByText('1 waiting for an agent').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.title.startsWith('(1) '))

  await page.keyboard.press('j')
  await page.waitForURL(/\/inbox\/\w+/)
  await messages(page).getByText('two to four working days').waitFor()
  await messages(page).getByText('Answered', { exact: true }).waitFor()
  await messages(page).getByRole('link', { name: 'Shipping and delivery' }).waitFor()
  await page.getByText('The visitor asked for a person.').waitFor()
  await page.keyboard.press('o')
  await visitor.inWidget('.bar.active').filter({ hasText: person.name }).waitFor()
  await page.getByText(`With ${person.name}`).first().waitFor()

  await page.keyboard.press('r')
  await page.keyboard.type('Hello')
  await visitor.inWidget('.typing').filter({ hasText: person.name }).waitFor()
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('what can I do for you?')
  await page.reload()
  const field = page.getByRole('textbox', { name: /^Reply to/ })
  expect(await field.inputValue()).toBe('Hello\nwhat can I do for you?')
  await field.press('Enter')
  await visitor.inWidget('.entry.agent').filter({ hasText: 'what can I do for you?' }).waitFor()
  await messages(page).getByText('what can I do for you?').waitFor()
  expect(await field.inputValue()).toBe('')

  await visitor.composer.pressSequentially('My boots leak')
  // Told every 3 seconds; the first time the dashboard may not listen again yet, after the reload.
  const writing = page.getByText('The visitor is typing')
  const isTold = async () => {
    await visitor.composer.pressSequentially(' ')
    return writing.isVisible()
  }
  await expect.poll(isTold, { interval: 1000 }).toBe(true)
  await visitor.composer.press('Enter')
  await messages(page).getByText('My boots leak').waitFor()

  await page.getByRole('textbox', { name: 'Write a note' }).fill('Boots of 2024')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Boots of 2024').first().waitFor()

  await field.press('Escape')
  await page.keyboard.press('b')
  await visitor.inWidget('.entry.note').filter({ hasText: 'is answering again' }).waitFor()
  await page.getByText('Handed back').first().waitFor()
  await page.waitForFunction(() => !document.title.startsWith('('))
  expect(problems).toEqual([])
})

test('a viewer reads, sees no way to act, and is refused by the server', async () => {
  const shop = await openShop()
  const visitor = createVisitor(shop.call, shop.botId)
  await visitor.say('I want to talk to a human, please')
  const { items } = await shop.manage('GET /api/manage/v1/bots/{botId}/conversations')
  const conversationId: string = items[0].id
  const { cookie } = await joinWorkspace(shop.call, shop.workspaceId, 'viewer')
  const { page } = await file.open({ viewport: WIDE, cookie: cookie() })
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/inbox/${conversationId}`)
  await messages(page).getByText('I want to talk to a human, please').waitFor()
  await page.getByText('To reply, you need the Agent role.').waitFor()
  for (const name of ['Take over', 'Assign', 'Tags', 'Snooze', 'Resolve', 'Send', 'Attach a file', 'Add note'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  await page.keyboard.press('a')
  const statuses = await page.evaluate(
    async ([path]) => {
      const post = async (action: string, body?: object) => {
        const headers = { 'content-type': 'application/json' }
        const given = body ? { headers, body: JSON.stringify(body) } : {}
        return (await fetch(`${path}/${action}`, { method: 'POST', ...given })).status
      }
      const text = { text: 'Hello' }
      const changed = await fetch(path as string, {
        ...{ method: 'PATCH', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ status: 'resolved' }),
      })
      const posted = [
        await post('accept'),
        await post('messages', text),
        await post('close'),
        await post('notes', text),
      ]
      return [...posted, changed.status]
    },
    [CONVERSATION.replace('{botId}', shop.botId).replace('{conversationId}', conversationId)],
  )
  expect(statuses).toEqual([403, 403, 403, 403, 403])
  expect((await visitor.history()).body.handover.status).toBe('requested')
  expect(await page.getByRole('link', { name: 'Leads', exact: true }).count()).toBe(0)
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/leads`)
  await page.getByText('You need the Agent role to see leads').waitFor()
})

test('a lead leads to its conversation, is exported and deleted', async () => {
  const shop = await openShop()
  const visitor = createVisitor(shop.call, shop.botId)
  await visitor.say('Can I return goods?')
  await visitor.post('lead', { fields: { name: 'Ada', email: 'ada@shop.example', message: 'Call me' } })
  const { page, problems } = await openInbox(shop)
  await threads(page).first().click()
  await page.getByRole('complementary', { name: 'Details' }).getByRole('link', { name: 'Ada ada@shop.example' }).click()
  await page.getByRole('dialog').getByText('Call me').waitFor()
  await page.getByRole('dialog').getByRole('link', { name: 'Open conversation' }).click()
  await messages(page).getByText('Can I return goods?').waitFor()

  await createVisitor(shop.call, shop.botId).say('This is spam', { visitor: { name: 'Mallory' } })
  await threads(page).filter({ hasText: 'Mallory' }).click()
  await page.getByRole('checkbox', { name: 'Select Mallory' }).click()
  const [table] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  expect(table.suggestedFilename()).toBe('conversations.csv')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await threads(page).filter({ hasText: 'Mallory' }).waitFor({ state: 'hidden' })
  await page.waitForURL(/\/inbox$/)

  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  expect(download.suggestedFilename()).toBe('leads.csv')
  await page.getByRole('button', { name: 'Actions: Ada' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No leads yet').waitFor()
  expect((await shop.manage('GET /api/manage/v1/bots/{botId}/leads')).items).toEqual([])
  // What is open is read anew when it changes, also when it is gone.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
})

test('a line that breaks is opened again, and what happened meanwhile is there', async () => {
  const shop = await openShop()
  const { page } = await openInbox(shop)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await page.getByText('Live', { exact: true }).waitFor({ state: 'hidden' })
  await createVisitor(shop.call, shop.botId).say('Is anybody there?')
  await page.context().setOffline(false)
  await threads(page).first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
})

test('on a phone, list and conversation are two steps, and the details a third', async () => {
  const shop = await openShop()
  const visitor = createVisitor(shop.call, shop.botId)
  await visitor.say('How long does delivery take?')
  await visitor.post('lead', { fields: { email: 'ada@shop.example' } })
  const { page } = await openInbox(shop, { viewport: PHONE, colorScheme: 'dark' })
  await threads(page).first().click()
  await messages(page).waitFor()
  expect(await threads(page).first().isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByRole('dialog').getByText('ada@shop.example').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'All conversations' }).click()
  await threads(page).first().waitFor()
})

test('the filters are one row, wide and on a phone, and each is in sight when it has the focus', async () => {
  const shop = await openShop()
  await createVisitor(shop.call, shop.botId).say('How long does delivery take?')
  const { page, problems } = await openInbox(shop, { viewport: PHONE })
  await threads(page).first().waitFor()
  const row = page.getByRole('group', { name: 'Filter' })
  const last = row.getByRole('button', { name: 'Resolved' })
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport)
    expect((await row.boundingBox())?.height).toBeLessThan(50)
    await row.getByRole('button', { name: 'All' }).focus()
    for (let steps = 0; steps < 6; steps++) await page.keyboard.press('Tab')
    const { isFocused, isInSight } = await last.evaluate((button) => {
      const { left, right } = button.getBoundingClientRect()
      const around = button.parentElement?.getBoundingClientRect()
      const isInSight = around && left >= around.left && right <= around.right
      return { isFocused: button === document.activeElement, isInSight }
    })
    expect({ isFocused, isInSight }).toEqual({ isFocused: true, isInSight: true })
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(/show=resolved/)
  await page.getByRole('button', { name: 'More filters' }).press('Enter')
  await page.getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'Widget' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More filters 1' }).waitFor()
  expect(await fourLooks(page, looks, 'the filters of the inbox')).toEqual([])
  expect(problems).toEqual([])
})

test('agents share one inbox over all bots: assign, tag, snooze, resolve and canned replies by keyboard, one of two wins', async () => {
  const shop = await openShop()
  const { call, workspaceId, adminToken: token } = shop
  const params = { workspaceId }
  const second = await call('POST /api/manage/v1/bots', { token, body: { name: 'Outlet', workspace_id: workspaceId } })
  await call('POST /api/manage/v1/workspaces/{workspaceId}/canned-replies', {
    ...{ token, params },
    body: { shortcut: 'hello', text: 'Hello {{visitor.name}}, {{agent.name}} of {{bot.name}} here' },
  })
  const visitor = createVisitor(call, shop.botId)
  await visitor.say('I want to talk to a human, please', { visitor: { name: 'Linus' } })
  await createVisitor(call, second.body.id).say('I want to talk to a human, please')
  const grace = await joinWorkspace(call, workspaceId, 'agent', 'grace@example.test')
  const { page, problems } = await file.open({ viewport: WIDE, cookie: grace.cookie() })
  await page.goto(`${shop.baseUrl}/inbox?show=open`)
  await threads(page).nth(1).waitFor()
  const rows = await threads(page).allTextContents()
  expect(rows[0]).toMatch(/^[A-Z]\w+ [A-Z]\w+.*New.*Outlet/)
  expect(rows[1]).toMatch(/^Linus.*I want to talk to a human/)

  const ticks = page.getByRole('list', { name: 'Conversations' }).getByRole('checkbox')
  await ticks.nth(0).click()
  await ticks.nth(1).click({ modifiers: ['Shift'] })
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'CSV (2)' }).waitFor()
  expect(await page.getByRole('link', { name: 'CSV' }).count()).toBe(0)
  const addTag = page.getByRole('button', { name: 'Add a tag' })
  await addTag.click()
  await page.getByRole('combobox', { name: 'Tags' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => addTag.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.getByText('2 selected').waitFor()
  await addTag.click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('both')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a tag' }).click()
  await threads(page).nth(1).filter({ hasText: 'both' }).waitFor()
  expect(await threads(page).filter({ hasText: 'both' }).count()).toBe(2)
  await page.getByText('2 selected').waitFor({ state: 'hidden' })
  const csv = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
  expect(csv).toMatch(/conversations\?status=open&format=csv$/)

  await threads(page).nth(1).click()
  await messages(page).getByText('I want to talk to a human').waitFor()
  await threads(page).nth(1).getByText('New').waitFor({ state: 'hidden' })
  await page.locator('body').press('x')
  await page.getByText('1 selected').waitFor()
  await page.locator('body').press('x')
  await page.getByText('1 selected').waitFor({ state: 'hidden' })
  const menuItem = (name: RegExp | string) => page.getByRole('menuitem', { name })
  await page.locator('body').press('a')
  await menuItem(/\(you\)/).press('Enter')
  await page.getByRole('button', { name: /^Assigned to/ }).waitFor()
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await page.locator('body').press('t')
  await page.getByLabel('Add a tag').first().fill('vip')
  await page.keyboard.press('Enter')
  await threads(page).filter({ hasText: 'vip' }).waitFor()
  // The suggestions, then the tags.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await page.locator('body').press('r')
  await page.keyboard.type('/hel')
  await page.getByRole('option', { name: /\/hello/ }).waitFor()
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Reply to Linus' })
  expect(await field.inputValue()).toMatch(/^Hello Linus, .+ of .+ here$/)
  await field.press('Enter')
  await messages(page).getByText('Hello Linus').waitFor()
  const colourOf = (within: string) => page.locator(`${within} .face`).first().getAttribute('data-colour')
  expect(await colourOf('.message')).toBe(await colourOf('.thread[aria-current]'))
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: 'size-chart.txt', mimeType: 'text/plain', buffer: Buffer.from('S M L') },
  })
  await messages(page).getByRole('link', { name: 'size-chart.txt' }).waitFor()
  await visitor.post('seen', {})
  await messages(page).getByText('Seen', { exact: true }).waitFor()
  expect(await fourLooks(page, looks, 'a conversation of the team')).toEqual([])

  await field.press('Escape')
  await page.locator('body').press('s')
  await menuItem('In an hour').press('Enter')
  await page
    .getByText(/^Snoozed until/)
    .first()
    .waitFor()
  await visitor.say('Still there?')
  await page
    .getByText(/^Snoozed until/)
    .first()
    .waitFor({ state: 'hidden' })

  // Somebody else resolves it while the line is down, so that this screen does not know.
  const conversationId = new URL(page.url()).pathname.split('/').at(-1)
  await page.route('**/events', (route) => route.abort())
  await page.route(/\/conversations(\?|\/\w+$)/, (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await shop.manage(`PATCH ${CONVERSATION}`.replace('{conversationId}', String(conversationId)), {
    body: { status: 'resolved' },
  })
  await page.locator('body').press('e')
  await page.getByText('Somebody else changed this conversation first').waitFor()
  await page.unroute(/\/conversations(\?|\/\w+$)/)
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  expect(problems.filter((problem) => !/409|ERR_FAILED|Failed to fetch/.test(problem))).toEqual([])
})
