// What the widget does as time goes by: it offers a form, comes back to the line, speaks first, and reads further back.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { waitFor } from '../../server/test/harness/wait.ts'
import { launchBrowser } from '../src/browser.ts'
import { startShop } from '../src/shop-bot.ts'
import { arrive } from '../src/widget-page.ts'

const CONVERSATIONS = '/api/manage/v1/bots/{botId}/conversations'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** The page's clock, which the test turns. */
const withClock = (page: Page) => page.clock.install({ time: Date.UTC(2026, 10, 15, 12) })

test('a visitor who waits for a person is offered the form once, after the time that the bot sets', async () => {
  const shop = await startShop({ settings: { handover: { wait_seconds: 60 } } })
  const { page, inWidget, open, say } = await arrive(browser, shop, { before: withClock })
  await open()
  await inWidget('.header').getByLabel('Talk to a person').click()
  await inWidget('.bar.requested').waitFor()
  await page.clock.fastForward(50_000)
  // Counted from when they asked, over a reload too.
  await page.reload()
  await inWidget('.bar.requested').filter({ hasText: 'Connecting you to a person' }).waitFor()
  expect(await inWidget('.lead').count()).toBe(0)
  await page.clock.fastForward(11_000)
  await inWidget('.entry').filter({ hasText: 'No one is available right now' }).waitFor()
  // Which the bar does not contradict, not even once the server has said again that they wait.
  const bar = () => inWidget('.bar.requested').textContent()
  await expect.poll(bar).toBe('Back to the assistant')
  await say('Is anybody there?')
  await inWidget('.entry.visitor').filter({ hasText: 'Is anybody there?' }).waitFor()
  await inWidget('.lead').getByLabel('Email').fill('ada@example.com')
  await page.clock.fastForward(120_000)
  await expect.poll(() => inWidget('.lead').count()).toBe(1)
  await inWidget('.lead').getByRole('button', { name: 'Send' }).click()
  await inWidget('.lead').filter({ hasText: 'We’ll get back to you' }).waitFor()
  expect((await shop.manage('GET /api/manage/v1/bots/{botId}/leads')).items).toMatchObject([
    { email: 'ada@example.com' },
  ])
  expect(await bar()).toBe('Back to the assistant')
  // What was sent is still in the thread after a reload.
  await page.reload()
  await inWidget('.lead').filter({ hasText: 'ada@example.com' }).waitFor()
  expect(await inWidget('.lead').count()).toBe(1)
})

test('a dropped connection is retried after ever longer waits, at once when the network is back, and nothing is missed', async () => {
  const shop = await startShop()
  const { page, inWidget, open, say, answers } = await arrive(browser, shop, {
    async before(page) {
      await withClock(page)
      await page.addInitScript(noteWaits)
    },
  })
  let tries = 0
  let isBroken = true
  await page.route('**/events?*', (route) => {
    tries++
    return isBroken ? route.abort() : route.continue()
  })
  await page.clock.pauseAt(Date.UTC(2026, 10, 15, 13))
  await open()
  await say('How long does delivery take?')
  await answers(1)
  const waits = () => page.evaluate(() => (window as unknown as { waits: number[] }).waits)
  for (const [index, longestMs] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    await waitFor(async () => (await waits()).length > index, `wait ${index + 1} for the line`)
    const waitMs = (await waits())[index] ?? 0
    // Between half of it and all, so that not all visitors come back at once.
    expect(waitMs).toBeGreaterThanOrEqual(longestMs / 2)
    expect(waitMs).toBeLessThanOrEqual(longestMs)
    await page.clock.runFor(waitMs - 1)
    expect(tries).toBe(index + 1)
    await page.clock.runFor(1)
  }
  await waitFor(async () => (await waits()).length > 7, 'the last wait for the line')
  const { items } = await shop.manage(`GET ${CONVERSATIONS}`)
  const params = { conversationId: items[0].id }
  await shop.manage(`POST ${CONVERSATIONS}/{conversationId}/messages`, { params, body: { text: 'Said meanwhile' } })
  isBroken = false
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await inWidget('.entry.agent').filter({ hasText: 'Said meanwhile' }).waitFor()
  expect(tries).toBe(9)
})

test('a message for some pages comes once, after its time there, also on a page that never reloads', async () => {
  const proactive = { message: 'Which size do you need?', delay_seconds: 20, page_pattern: '/shoes/*' }
  const shop = await startShop({ settings: { widget: { proactive } } })
  const { page, inWidget } = await arrive(browser, shop, { before: withClock })
  const nudge = inWidget('.nudge .say')
  await inWidget('.launcher').waitFor()
  await page.clock.runFor(60_000)
  expect(await nudge.count()).toBe(0)
  await page.evaluate(() => history.pushState({}, '', '/shoes/boots'))
  await page.clock.runFor(10_000)
  await page.evaluate(() => history.pushState({}, '', '/shoes/sandals'))
  await page.clock.runFor(19_000)
  expect(await nudge.count()).toBe(0)
  await page.clock.runFor(2000)
  await expect.poll(() => nudge.textContent()).toBe(proactive.message)
  await inWidget('.nudge').getByLabel('Cancel').click()
  await page.evaluate(() => history.back())
  await page.clock.runFor(60_000)
  expect(await nudge.count()).toBe(0)
})

test('a long conversation is read back page by page, in order, and the place stays', async () => {
  const shop = await startShop({
    environment: { WIDGET_MESSAGES_PER_MINUTE: '1000', WIDGET_REQUESTS_PER_MINUTE: '1000' },
  })
  const talker = createVisitor(shop.call, shop.botId)
  const TURNS = 55
  for (let turn = 1; turn <= TURNS; turn++) await talker.say(`Hello, for the ${turn}. time`)
  const storedVisit = JSON.stringify({ session: talker.sessionId(), token: talker.token() })
  const { page, inWidget, open, entries } = await arrive(browser, shop, {
    before: (page) =>
      page.addInitScript(([name, value]) => localStorage.setItem(name, value), [
        `docent:${shop.botId}`,
        storedVisit,
      ] as const),
  })
  const said = () => inWidget('.entry.visitor .text').allTextContents()
  const earlier = inWidget('.scroller > .link')
  await open()
  await earlier.waitFor()
  await expect.poll(() => entries.count()).toBe(50)
  const top = () =>
    inWidget('.entry.visitor .text')
      .filter({ hasText: 'the 31. time' })
      .evaluate((node) => node.getBoundingClientRect().top)
  await inWidget('.scroller').evaluate((node) => node.scrollTo(0, 0))
  const before = await top()
  await earlier.focus()
  await page.keyboard.press('Enter')
  await inWidget('.entry.visitor').filter({ hasText: 'the 6. time' }).waitFor()
  await expect.poll(() => entries.count()).toBe(100)
  expect(Math.abs((await top()) - before)).toBeLessThan(2)
  await page.keyboard.press('Enter')
  await inWidget('.entry.visitor').filter({ hasText: 'the 1. time' }).waitFor()
  expect(await said()).toEqual(Array.from({ length: TURNS }, (_, index) => `Hello, for the ${index + 1}. time`))
  expect(await earlier.isVisible()).toBe(false)
  // Whoever pressed it by key is still in the conversation, and what is new comes at the end.
  expect(await inWidget('.scroller').evaluate((node) => node.matches(':focus'))).toBe(true)
  await talker.say('How long does delivery take?')
  await inWidget('.entry.visitor').last().filter({ hasText: 'How long does delivery take?' }).waitFor()
})

test('the end of a conversation stays in sight when the panel shrinks, unless the visitor reads further up', async () => {
  const shop = await startShop()
  const { page, inWidget, open, say, answers } = await arrive(browser, shop, { viewport: { width: 390, height: 844 } })
  await open()
  for (let turn = 1; turn <= 5; turn++) {
    await say('How long does delivery take?')
    await answers(turn)
  }
  const scroller = inWidget('.scroller')
  const places = () =>
    scroller.evaluate((node) => ({
      fromTop: node.scrollTop,
      fromEnd: Math.round(node.scrollHeight - node.scrollTop - node.clientHeight),
    }))
  // Within two frames the widget has noticed a scroll or a new size.
  const twoFrames = () =>
    page.evaluate(
      () => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(then)))),
    )
  const scrollTo = async (top: number) => {
    await twoFrames()
    await scroller.evaluate((node, place) => node.scrollTo(0, place), top)
    await twoFrames()
  }
  await scrollTo(10_000)
  // A scroll may be reported in the frame that resizes the panel.
  await scroller.evaluate((node) =>
    visualViewport?.addEventListener('resize', () => node.dispatchEvent(new Event('scroll'))),
  )
  // As an on-screen keyboard leaves it, and turned to its side, where the lines break elsewhere.
  for (const viewport of [
    { width: 390, height: 420 },
    { width: 844, height: 390 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await expect.poll(async () => (await places()).fromEnd).toBeLessThan(2)
  }
  await scrollTo(20)
  await page.setViewportSize({ width: 390, height: 420 })
  await expect.poll(() => scroller.evaluate((node) => node.clientHeight)).toBeLessThan(400)
  await twoFrames()
  expect((await places()).fromTop).toBe(20)
})

/** How long the widget waits before it tries the line again: of all its waits, those of this length. */
function noteWaits() {
  const waitsMs: number[] = []
  const { setTimeout: wait } = window
  Object.assign(window, {
    waits: waitsMs,
    setTimeout(work: () => void, ms = 0) {
      if (ms > 500 && ms <= 30_000) waitsMs.push(ms)
      return wait(work, ms)
    },
  })
}
