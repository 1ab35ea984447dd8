// What a widget meets in the wild: hostile styles, bad networks, several tabs.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../src/browser.ts'
import { serveHostPage } from '../src/host-page.ts'
import { startShop } from '../src/shop-bot.ts'
import { arrive, newContext, visitorOf, watch } from '../src/widget-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

describe('a hostile style sheet', () => {
  test('neither hides nor distorts the widget', async () => {
    const shop = await startShop()
    const style = `<style>
      * { all: unset !important; font-size: 90px !important; color: red !important; opacity: 0 !important;
          transform: rotate(7deg) !important; display: none !important; pointer-events: none !important }
      html, body, main, h1 { display: block !important }
      docent-chat { position: static !important; left: -9999px !important; visibility: hidden !important }
      div, button, section, textarea { display: none !important }</style>`
    // Nothing is measured while it moves.
    const plain = await arrive(browser, shop, { reducedMotion: 'reduce' })
    const hostile = await arrive(browser, shop, { head: style, reducedMotion: 'reduce' })
    const boxes = []
    for (const visitor of [plain, hostile]) {
      await visitor.open()
      await visitor.say('How long does delivery take?')
      await visitor.answers(1)
      boxes.push([await visitor.panel.boundingBox(), await visitor.answer().boundingBox()])
    }
    expect(boxes[1]).toEqual(boxes[0])
    const [font] = await hostile
      .inWidget('.entry.bot .text')
      .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).fontSize))
    expect(font).toBe('15px')
  })
})

test('attributes that the server would refuse are left out with a warning, and the visitor can write', async () => {
  const shop = await startShop()
  const { page, open, say, answers, problems } = await arrive(browser, shop)
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  await page.waitForFunction(() => window.Docent?.identify)
  const long = 'ü'.repeat(2050)
  const attributes = { plan: 'gold', cart: ['tent'], owner: { id: 1 }, long, cart_items: 3, vip: false, note: null }
  await page.evaluate((values) => window.Docent?.identify({ attributes: values as never }), attributes)
  await open()
  await say('How long does delivery take?')
  await answers(1)
  expect(warnings).toEqual(['cart', 'owner', 'long'].map((name) => `Docent: refused ${name}`))
  const { items } = await shop.manage('GET /api/manage/v1/bots/{botId}/conversations')
  const params = { conversationId: items[0].id }
  const { metadata } = await shop.manage('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', { params })
  expect(metadata).toEqual({ plan: 'gold', cart_items: 3, vip: false, note: null })

  await page.evaluate(() => window.Docent?.identify({ attributes: null as never }))
  await say('And express?')
  await answers(2)
  expect(problems).toEqual([])
})

test('a file that is too large is refused with the limit, in the language of the visitor', async () => {
  const shop = await startShop()
  const { inWidget, open, say, answers } = await arrive(browser, shop, { locale: 'de-AT' })
  await open()
  await say('How long does delivery take?')
  await answers(1)
  await inWidget('.composer').getByLabel('Emoji und Dateien').click()
  const buffer = Buffer.alloc(5 * 1024 ** 2 + 1)
  await inWidget('.tools input').setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer })
  await inWidget('.tools .problem').filter({ hasText: 'Diese Datei ist zu groß. (≤ 5 MB)' }).waitFor()
})

describe('connection problems', () => {
  test('what could not be sent stays, over a reload too, and goes out when the visitor tries again', async () => {
    const shop = await startShop()
    const { context, page, inWidget, open, say, answers, composer } = await arrive(browser, shop)
    await open()
    await say('How long does delivery take?')
    await answers(1)
    await context.setOffline(true)
    await say('Can I return goods?')
    await inWidget('.failed').filter({ hasText: 'You’re offline' }).waitFor()
    await inWidget('.bar').filter({ hasText: 'offline' }).waitFor()
    await composer.fill('half a sen')
    await context.setOffline(false)
    await page.reload()
    await inWidget('.failed').filter({ hasText: 'Can I return goods?' }).waitFor()
    await expect.poll(() => composer.inputValue()).toBe('half a sen')
    await inWidget('.failed .link').click()
    await (await answers(2)).filter({ hasText: '30 days' }).waitFor()
    expect(await inWidget('.failed').count()).toBe(0)
    expect(await inWidget('.entry.visitor .text').allTextContents()).toEqual([
      'How long does delivery take?',
      'Can I return goods?',
    ])
  })

  test('too many messages are answered kindly, with the sentence of the server', async () => {
    const shop = await startShop({ environment: { WIDGET_REQUESTS_PER_MINUTE: '1' } })
    const { inWidget, open, say, answers } = await arrive(browser, shop)
    await open()
    await say('How long does delivery take?')
    await answers(1)
    await say('And express?')
    // First it says that it was not sent, and why when it is known that it did not arrive all the same.
    const failureNotice = inWidget('.failed .footer').filter({ hasText: /too many|wait|moment/i })
    await failureNotice.waitFor()
    await expect.poll(() => failureNotice.getByText('Try again').count()).toBe(1)
  })

  test('two tabs show the same conversation, and an idle visitor costs one look at the settings', async () => {
    const shop = await startShop()
    const { botId } = shop
    const { context, address, inWidget, open, say, answers } = await arrive(browser, shop)
    const otherTab = await context.newPage()
    const requestPaths: string[] = []
    otherTab.on('request', (request) => requestPaths.push(new URL(request.url()).pathname))
    await otherTab.goto(address)
    const second = visitorOf(otherTab)
    await second.launcher.waitFor()
    expect(requestPaths.filter((path) => path.startsWith('/api'))).toEqual([`/api/chat/${botId}/config`])
    await second.open()
    await open()
    await say('How long does delivery take?')
    await answers(1)
    await second.answers(1)
    await second.say('Can I return goods?')
    await second.answers(2)
    await answers(2)
    const texts = await inWidget('[role=log] .entry .text').allTextContents()
    expect(await second.inWidget('[role=log] .entry .text').allTextContents()).toEqual(texts)
    expect(texts).toHaveLength(4)
  })
})

describe('ways to embed the chat', () => {
  test('the example page: a question from a button, the answer on the page', async () => {
    const { baseUrl, botId, manage } = await startShop()
    const read = (name: string) => readFileSync(new URL(`../../examples/plain-html/${name}`, import.meta.url), 'utf8')
    const html = read('index.html').replace('http://localhost:8080', baseUrl).replace('bot_demo', botId)
    const files = {
      '/page.js': { type: 'text/javascript', text: read('page.js') },
      '/favicon.ico': { type: 'image/x-icon', text: '' },
    }
    const address = await serveHostPage({ html, files })
    const page = await (await newContext(browser)).newPage()
    const problems = watch(page, [address, baseUrl])
    await page.goto(address)
    await visitorOf(page).launcher.waitFor()
    await page.click('#ask')
    await page.locator('#answer').filter({ hasText: 'two to four working days' }).waitFor()
    const { items } = await manage('GET /api/manage/v1/bots/{botId}/conversations')
    expect(items[0].visitor).toMatchObject({ name: 'Ada Example', email: 'ada@shop.example' })
    expect(items[0].page_url).toBe(address)
    expect(problems).toEqual([])
  })

  test('a page that is all chat, and one that says so when there is no such bot', async () => {
    const { baseUrl, botId } = await startShop()
    const page = await (await newContext(browser)).newPage()
    const problems = watch(page, [baseUrl])
    await page.goto(`${baseUrl}/chat/${botId}`)
    const { say, answers } = visitorOf(page)
    await say('How long does delivery take?')
    await answers(1)
    expect(problems).toEqual([])
    await page.goto(`${baseUrl}/chat/bot_none`)
    await visitorOf(page).inWidget('.closed').filter({ hasText: 'unavailable right now' }).waitFor()
  })

  test('a frame, on an allowed site and on no other', async () => {
    const { baseUrl, botId, manage } = await startShop()
    const html = `<!doctype html><title>A page</title><link rel="icon" href="data:,"><iframe src="${baseUrl}/chat/${botId}"></iframe>`
    const allowedUrl = await serveHostPage({ html })
    const otherSiteUrl = await serveHostPage({ html })
    // This server's own address is not the BASE_URL of tests.
    const body = { allowed_origins: [new URL(allowedUrl).origin, baseUrl] }
    await manage('PATCH /api/manage/v1/bots/{botId}', { body })
    const page = await (await newContext(browser)).newPage()
    await page.goto(allowedUrl)
    const inFrame = page.frameLocator('iframe').locator('docent-chat')
    await inFrame.locator('.composer textarea').fill('How long does delivery take?')
    await inFrame.locator('.composer textarea').press('Enter')
    await inFrame.locator('[role=log] .entry.bot').filter({ hasText: 'working days' }).waitFor()
    const problems = watch(page, [otherSiteUrl, baseUrl])
    await page.goto(otherSiteUrl)
    await expect.poll(() => problems.join()).toContain('frame-ancestors')
    expect(await inFrame.count()).toBe(0)
  })

  test('an element from the npm package, in the page, with its API and events', async () => {
    const { baseUrl, botId } = await startShop()
    const script = readFileSync(new URL('../../widget/dist/docent-chat.js', import.meta.url), 'utf8')
    const html = `<!doctype html><title>A page</title><link rel="icon" href="data:,">
<docent-chat bot="${botId}" server="${baseUrl}" mode="inline"></docent-chat><script type="module" src="/page.js"></script>`
    const pageScript = `import { DocentChat } from '/docent-chat.js'
const chat = document.querySelector('docent-chat')
window.told = [chat instanceof DocentChat]
for (const name of ['message', 'reply', 'error']) chat.on(name, (detail) => told.push(name + ': ' + (detail.text ?? '')))
chat.send('How long does delivery take?')`
    const type = 'text/javascript'
    const files = { '/docent-chat.js': { type, text: script }, '/page.js': { type, text: pageScript } }
    const page = await (await newContext(browser)).newPage()
    await page.goto(await serveHostPage({ html, files }))
    const { answers, panel, inWidget } = visitorOf(page)
    await answers(1)
    const [isChat, message, reply] = await page.evaluate(() => (window as unknown as { told: unknown[] }).told)
    expect([isChat, message]).toEqual([true, 'message: How long does delivery take?'])
    expect(reply).toContain('two to four working days')
    expect((await panel.boundingBox())?.height).toBe(600)
    expect(await inWidget('.launcher').count()).toBe(0)
    await page.evaluate(() => document.querySelector('docent-chat')?.destroy())
    expect(await page.locator('docent-chat').count()).toBe(0)
  })

  test('with the keyboard alone: Escape closes, focus goes back, and on a phone Tab stays inside', async () => {
    const shop = await startShop()
    const { page, launcher, panel, composer, inWidget } = await arrive(browser, shop, { reducedMotion: 'reduce' })
    await launcher.focus()
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className ?? '')
    await composer.waitFor()
    expect(await composer.evaluate((node) => node.matches(':focus'))).toBe(true)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    expect(await focused()).toBe('launcher')
    await page.setViewportSize({ width: 390, height: 700 })
    await page.keyboard.press('Enter')
    await composer.waitFor()
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab')
      await expect.poll(() => inWidget('.panel :focus').count()).toBe(1)
    }
    expect(await panel.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 700 })
  })
})
