// The inbox as people behind the bot use it, with a visitor at the other end.
import { TEAM_LANGUAGES } from '@docent/contract'
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
  const tab = await file.open({ viewport: WIDE, ...options })
  await tab.page.goto(`${shop.baseUrl}/inbox?bot=${shop.botId}`)
  return tab
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
  await expect.poll(() => field.inputValue()).toBe('Hello\nwhat can I do for you?')
  await field.press('Enter')
  await visitor.inWidget('.entry.agent').filter({ hasText: 'what can I do for you?' }).waitFor()
  await messages(page).getByText('what can I do for you?').waitFor()
  await expect.poll(() => field.inputValue()).toBe('')

  await visitor.composer.pressSequentially('My boots leak')
  // Told every 3 seconds; the first time the dashboard may not listen again yet, after the reload.
  const typingNotice = page.getByText('The visitor is typing')
  const isTold = async () => {
    await visitor.composer.pressSequentially(' ')
    return typingNotice.isVisible()
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
  await messages(page).getByText('The visitor asked for a person').waitFor()
  await messages(page).getByText('You took over').waitFor()
  await messages(page)
    .getByRole('article', { name: `Note by ${person.name}` })
    .getByText('Boots of 2024')
    .waitFor()
  await messages(page).getByText('You handed back to the bot').waitFor()
  expect(await fourLooks(page, looks, 'a thread with its history')).toEqual([])
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
        const request = body ? { headers, body: JSON.stringify(body) } : {}
        return (await fetch(`${path}/${action}`, { method: 'POST', ...request })).status
      }
      const text = { text: 'Hello' }
      const resolveResponse = await fetch(path as string, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'resolved' }),
      })
      const responseStatuses = [
        await post('accept'),
        await post('messages', text),
        await post('close'),
        await post('notes', text),
      ]
      return [...responseStatuses, resolveResponse.status]
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
  const chosen = async (action: string) => {
    await page.locator('.list-chosen').getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const [table] = await Promise.all([page.waitForEvent('download'), chosen('CSV')])
  expect(table.suggestedFilename()).toBe('conversations.csv')
  await chosen('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await threads(page).filter({ hasText: 'Mallory' }).waitFor({ state: 'hidden' })
  await page.waitForURL(/\/inbox\?bot=/)

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

test('a dropped connection is reopened, and what happened meanwhile appears', async () => {
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

test('the views are one row in every language, wide and on a phone, with unread mentions in sight', async () => {
  const shop = await openShop()
  const { call, workspaceId } = shop
  await createVisitor(call, shop.botId).say('How long does delivery take?')
  const { items } = await shop.manage('GET /api/manage/v1/bots/{botId}/conversations')
  const agent = await joinWorkspace(call, workspaceId, 'agent')
  const { me } = (await agent.call(`GET /api/manage/v1/workspaces/${workspaceId}/inbox`)).body
  const params = { conversationId: items[0].id }
  await shop.manage(`POST ${CONVERSATION}/notes`, { params, body: { text: 'Look, @agent', mentions: [me] } })
  const { page, problems } = await openInbox(shop, { cookie: agent.cookie() })
  const row = page.locator('.chips-row')
  const look = () =>
    row.evaluate((element) => {
      const tops = [...element.querySelectorAll('.chip')].map((chip) => chip.getBoundingClientRect().top)
      return { chips: tops.length, rows: new Set(tops).size, hidden: element.scrollWidth - element.clientWidth }
    })
  for (const language of Object.keys(TEAM_LANGUAGES)) {
    await page.evaluate((code) => localStorage.setItem('docent-language', code), language)
    await page.reload()
    await row.locator('.chip-count').waitFor()
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      const message = `${language}, ${viewport.width} px`
      await expect.poll(look, { message }).toEqual({ chips: 5, rows: 1, hidden: 0 })
    }
  }
  expect(problems).toEqual([])
})

test('the views that the row has no room for are in a menu, which names the chosen one', async () => {
  const shop = await openShop()
  await createVisitor(shop.call, shop.botId).say('How long does delivery take?')
  const { page, problems } = await openInbox(shop)
  await threads(page).first().waitFor()
  const row = page.getByRole('group', { name: 'Filter' })
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport)
    await row.getByRole('button', { name: 'All', exact: true }).focus()
    const others = (await row.getByRole('button').count()) - 1
    for (let steps = 0; steps < others; steps++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name: 'Open', exact: true }).waitFor()
    await page.keyboard.press('ArrowUp')
    await expect
      .poll(() => menu.getByRole('menuitem', { name: 'Resolved' }).evaluate((item) => item === document.activeElement))
      .toBe(true)
    expect(await fourLooks(page, looks, 'the menu of views')).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/show=resolved/)
    await row.getByRole('button', { name: 'More: Resolved', pressed: true }).waitFor()
    expect(await row.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await row.getByRole('button', { name: 'All', exact: true }).click()
    await row.getByRole('button', { name: 'More', exact: true }).waitFor()
  }
  await page.getByRole('button', { name: 'More filters' }).press('Enter')
  await page.getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'Widget' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More filters 1' }).waitFor()
  expect(await fourLooks(page, looks, 'the filters of the inbox')).toEqual([])
  expect(problems).toEqual([])
})

test('whoever waits comes first with a clock, and is overdue after the target, in the inbox and on Home', async () => {
  const server = file.running()
  const shop = await openShop()
  const { cookie } = await joinWorkspace(shop.call, shop.workspaceId, 'owner')
  const { page, problems } = await file.open({ viewport: WIDE, cookie: cookie() })
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/settings/people`)
  await page.getByRole('textbox', { name: 'Target for the first reply (minutes)' }).fill('5')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await shop.manage('GET /api/manage/v1/bots/{botId}')).handover.response_minutes)
    .toBe(5)

  const ada = createVisitor(shop.call, shop.botId)
  await ada.say('Can I return goods?', { visitor: { name: 'Ada' } })
  await ada.post('handover')
  await createVisitor(shop.call, shop.botId).say('How long does delivery take?', { visitor: { name: 'Bob' } })
  // The server's time stands still; the browser's goes on from there.
  await page.clock.install({ time: server.clock.now + 30_000 })
  await page.goto(`${shop.baseUrl}/inbox`)
  await threads(page).nth(1).waitFor()
  expect((await threads(page).allTextContents()).map((text) => /Ada|Bob/.exec(text)?.[0])).toEqual(['Ada', 'Bob'])
  await threads(page)
    .first()
    .getByText(/^Waiting \d+ sec/)
    .waitFor()
  await page.clock.fastForward(60_000)
  await threads(page).first().getByText('Waiting 1 min').waitFor()
  await page.clock.fastForward(5 * 60_000)
  await threads(page).first().getByText('Overdue, waiting 6 min').waitFor()
  expect(await fourLooks(page, looks, 'an overdue conversation')).toEqual([])
  await page.getByRole('button', { name: 'Waiting', exact: true }).click()
  await expect.poll(() => threads(page).count()).toBe(1)

  server.clock.now += 6 * 60_000
  await page.goto(shop.baseUrl)
  await page.getByRole('region', { name: 'Waiting for an agent' }).getByText('1 overdue').waitFor()
  expect(problems).toEqual([])
})

test('an @ in a note offers the members, and whoever is mentioned finds it under Mentions until they open it', async () => {
  const shop = await openShop()
  await createVisitor(shop.call, shop.botId).say('Can I return goods?', { visitor: { name: 'Ada' } })
  await createVisitor(shop.call, shop.botId).say('How long does delivery take?', { visitor: { name: 'Bob' } })
  const owner = await joinWorkspace(shop.call, shop.workspaceId, 'owner')
  const agent = await joinWorkspace(shop.call, shop.workspaceId, 'agent')
  const { page, problems } = await file.open({ viewport: WIDE, cookie: owner.cookie() })
  await page.goto(`${shop.baseUrl}/inbox`)
  await threads(page).filter({ hasText: 'Ada' }).click()
  const field = page.getByRole('textbox', { name: 'Write a note' })
  await field.pressSequentially('Is this a refund, @ag')
  await page.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: '@agent' }).waitFor()
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('Is this a refund, @agent ')
  // The details move into a drawer: what is half-written comes along, with whom it mentions.
  await page.setViewportSize({ width: 1200, height: 900 })
  await field.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Details' }).click()
  await expect.poll(() => field.inputValue()).toBe('Is this a refund, @agent ')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect.poll(() => field.inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await messages(page).getByText('@agent', { exact: true }).waitFor()
  expect(await page.getByText('A note mentions you').count()).toBe(0)

  const { page: agentPage, problems: theirProblems } = await file.open({ viewport: WIDE, cookie: agent.cookie() })
  await agentPage.goto(`${shop.baseUrl}/inbox`)
  await agentPage.getByRole('button', { name: 'Mentions 1 unread' }).click()
  await expect.poll(() => threads(agentPage).count()).toBe(1)
  await threads(agentPage).first().getByText('A note mentions you').waitFor({ state: 'attached' })
  expect(await fourLooks(agentPage, looks, 'an unread mention')).toEqual([])
  await threads(agentPage).first().click()
  await messages(agentPage).getByText('Is this a refund').waitFor()
  await agentPage.getByRole('button', { name: 'Mentions', exact: true }).waitFor()
  await threads(agentPage).first().getByText('A note mentions you').waitFor({ state: 'detached' })

  // Read at once while the conversation is on the screen.
  await page.setViewportSize(WIDE)
  await field.pressSequentially('And now, @ag')
  await page.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: '@agent' }).waitFor()
  await field.press('Enter')
  await page.getByRole('button', { name: 'Add note' }).click()
  await messages(agentPage).getByText('And now').waitFor()
  const params = { workspaceId: shop.workspaceId }
  const inbox = () => agent.call('GET /api/manage/v1/workspaces/{workspaceId}/inbox', { params })
  await expect.poll(async () => (await inbox()).body.unread_mentions).toBe(0)

  // With no conversation on the screen, a notification tells about it.
  await agentPage.addInitScript(() => {
    const titles: string[] = []
    const Recorded = class {
      static permission = 'granted'
      constructor(title: string) {
        titles.push(title)
      }
    }
    Object.assign(window, { Notification: Recorded, titles })
    localStorage.setItem('docent-notify', 'on')
  })
  await agentPage.goto(`${shop.baseUrl}/inbox`)
  await agentPage.getByRole('button', { name: 'Mentions', exact: true }).waitFor()
  await field.pressSequentially('Once more, @ag')
  await page.getByRole('listbox', { name: 'Members' }).getByRole('option', { name: '@agent' }).waitFor()
  await field.press('Enter')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect
    .poll(() => agentPage.evaluate(() => (window as unknown as { titles: string[] }).titles))
    .toEqual(['A note mentions you'])
  expect([...problems, ...theirProblems]).toEqual([])
})

test('one inbox for all bots has a filter by bot, to which the former addresses lead', async () => {
  const shop = await openShop()
  const { call, workspaceId, adminToken: token } = shop
  const second = await call('POST /api/manage/v1/bots', { token, body: { name: 'Outlet', workspace_id: workspaceId } })
  await createVisitor(call, shop.botId).say('Can I return goods?', { visitor: { name: 'Ada' } })
  await createVisitor(call, second.body.id).say('Do you have sales?', { visitor: { name: 'Bob' } })
  const { items } = await shop.manage('GET /api/manage/v1/bots/{botId}/conversations')
  const { cookie } = await joinWorkspace(call, workspaceId, 'agent')
  const { page, problems } = await file.open({ viewport: WIDE, cookie: cookie() })
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/inbox/${items[0].id}?show=all`)
  await page.waitForURL(`**/inbox/${shop.botId}/${items[0].id}?*bot=${shop.botId}*`)
  await messages(page).getByText('Can I return goods?').waitFor()
  await page.goto(`${shop.baseUrl}/bots/${second.body.id}/inbox`)
  await page.waitForURL(`**/inbox?bot=${second.body.id}`)
  await threads(page).filter({ hasText: 'Bob' }).waitFor()
  await expect.poll(() => threads(page).count()).toBe(1)
  const current = page.getByRole('navigation').locator('.nav-link[aria-current="page"]')
  expect(await current.allTextContents()).toEqual([' Inbox'])

  const choice = page.getByRole('combobox', { name: 'Bot' })
  await expect.poll(() => choice.inputValue()).toBe('Outlet')
  expect(await fourLooks(page, looks, 'the inbox of one bot')).toEqual([])
  await choice.click()
  await page.getByRole('option', { name: 'All bots' }).click()
  await expect.poll(() => threads(page).count()).toBe(2)
  expect(new URL(page.url()).search).toBe('')
  expect(await current.allTextContents()).toEqual([' Inbox'])
  expect(problems).toEqual([])
})

test('an agent goes away in the account menu, sets working hours, and a bot gets a team with automatic assignment', async () => {
  const shop = await openShop()
  const { cookie } = await joinWorkspace(shop.call, shop.workspaceId, 'owner')
  const { page, problems } = await file.open({ viewport: WIDE, cookie: cookie(), timezoneId: 'UTC' })
  const isOpen = async () =>
    (await shop.call('GET /api/chat/{botId}/config', { params: { botId: shop.botId } })).body.handover.open
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/settings/people`)
  await page.getByRole('switch', { name: 'Assign new requests automatically' }).check()
  await page.getByRole('combobox', { name: 'Members' }).click()
  await page.getByRole('option', { name: 'owner' }).click()
  await page.keyboard.press('Escape')
  expect(await fourLooks(page, looks, 'the team of a bot')).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  const handover = async () => (await shop.manage('GET /api/manage/v1/bots/{botId}')).handover
  await expect.poll(async () => (await handover()).auto_assign).toBe(true)
  expect((await handover()).team).toHaveLength(1)

  await createVisitor(shop.call, shop.botId).say('I want to talk to a human, please')
  await page.goto(`${shop.baseUrl}/inbox`)
  await threads(page).first().click()
  await messages(page).getByText('Assigned to You automatically').waitFor()

  expect(await isOpen()).toBe(true)
  await page.getByRole('button', { name: /^owner/ }).click()
  await page.getByRole('menuitem', { name: 'Away' }).click()
  await expect.poll(isOpen).toBe(false)
  expect(await fourLooks(page, looks, 'availability in the account menu')).toEqual([])
  await page.getByRole('button', { name: /Away/ }).waitFor()
  await page.getByRole('menuitem', { name: 'Online' }).click()
  await expect.poll(isOpen).toBe(true)
  await page.getByRole('menuitem', { name: 'Working hours' }).click()
  await page.getByRole('switch', { name: 'I take conversations only during certain hours' }).check()
  await page.getByLabel('From', { exact: true }).fill('03:00')
  await page.getByLabel('To', { exact: true }).fill('03:01')
  // One bar saves the whole page, and says so while something is unsaved.
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  // The server's time stands still at noon of a Sunday, in UTC.
  await expect.poll(isOpen).toBe(false)
  expect(await fourLooks(page, looks, 'working hours')).toEqual([])
  await page.goto(`${shop.baseUrl}/workspace`)
  await page.getByRole('main').getByText('Away', { exact: true }).waitFor()
  expect(problems).toEqual([])
})

test('agents share one inbox over all bots: assign, tag, snooze, resolve and canned replies by keyboard, one of two wins', async () => {
  const shop = await openShop()
  const { call, workspaceId, adminToken: token } = shop
  const params = { workspaceId }
  const second = await call('POST /api/manage/v1/bots', { token, body: { name: 'Outlet', workspace_id: workspaceId } })
  await call('POST /api/manage/v1/workspaces/{workspaceId}/canned-replies', {
    token,
    params,
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
  expect(rows[0]).toMatch(/^LLinus.*I want to talk to a human/)
  expect(rows[1]).toMatch(/^[A-Z]{2}[A-Z]\w+ [A-Z]\w+.*New.*Outlet/)

  const ticks = page.getByRole('list', { name: 'Conversations' }).getByRole('checkbox')
  await ticks.nth(0).click()
  await ticks.nth(1).click({ modifiers: ['Shift'] })
  await page.getByText('2 selected').waitFor()
  const bar = page.locator('.list-chosen')
  // In one line.
  expect((await bar.boundingBox())?.height).toBeLessThan(45)
  const more = bar.getByRole('button', { name: 'Actions' })
  await more.click()
  await page.getByRole('menuitem', { name: 'CSV (2)' }).waitFor()
  expect(await page.getByRole('link', { name: 'CSV' }).count()).toBe(0)
  expect(await fourLooks(page, looks, 'the menu of chosen conversations')).toEqual([])
  const addTag = page.getByRole('menuitem', { name: 'Add a tag' })
  await addTag.click()
  await page.getByRole('combobox', { name: 'Tags' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.getByText('2 selected').waitFor()
  await more.click()
  await addTag.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByText('2 selected').waitFor()
  await more.click()
  await addTag.click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('both')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a tag' }).click()
  await threads(page).nth(1).filter({ hasText: 'both' }).waitFor()
  await expect.poll(() => threads(page).filter({ hasText: 'both' }).count()).toBe(2)
  await page.getByText('2 selected').waitFor({ state: 'hidden' })
  const csv = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
  expect(csv).toMatch(/conversations\?status=open&format=csv$/)

  const linus = threads(page).filter({ hasText: 'Linus' })
  await linus.click()
  await messages(page).getByText('I want to talk to a human').waitFor()
  await linus.getByText('New').waitFor({ state: 'hidden' })
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
  await expect.poll(() => field.inputValue()).toMatch(/^Hello Linus, .+ of .+ here$/)
  await field.press('Enter')
  await messages(page).getByText('Hello Linus').waitFor()
  const colourOf = (within: string) => page.locator(`${within} .face`).first().getAttribute('data-colour')
  expect(await colourOf('.message')).toBe(await colourOf('.thread[aria-current] .thread-assignee'))
  await page.locator('input[type=file]').setInputFiles({
    name: 'film.txt',
    mimeType: 'text/plain',
    buffer: Buffer.alloc(5 * 1024 ** 2 + 1, 'film '),
  })
  await page.getByText('film.txt: larger than 5 MB').waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: 'size-chart.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('S M L'),
  })
  await messages(page).getByRole('link', { name: 'size-chart.txt' }).waitFor()
  await visitor.post('seen', {})
  await messages(page).getByText('Seen', { exact: true }).waitFor()
  expect(await fourLooks(page, looks, 'a conversation of the team')).toEqual([])

  await field.press('Escape')
  await page.locator('body').press('s')
  await menuItem('Pick a time…').press('Enter')
  await page.getByRole('dialog', { name: 'Snooze' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
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
