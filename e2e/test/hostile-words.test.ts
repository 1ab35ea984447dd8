// Words of people who mean harm, in every place that shows words of others: they are text, run nothing and load nothing.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { launchBrowser } from '../src/browser.ts'
import { setUp } from '../src/dashboard.ts'
import { startShop } from '../src/shop-bot.ts'
import { arrive, newContext, watch } from '../src/widget-page.ts'

const ATTACK = '<img src=x onerror="pwned()"><script>pwned()</script><svg onload=pwned()>'
// Markup is taken out of a feed's titles; what is escaped in them comes through.
const ESCAPED = ATTACK.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const attacks = [
  ATTACK,
  '[a](javascript:pwned()) [b](JaVaScRiPt:pwned()) [c](java\tscript:pwned()) [d](&#106;avascript:pwned())',
  '[e](data:text/html,<script>pwned()</script>) [f](vbscript:pwned()) [g]( javascript:pwned()) [h](\u0001javascript:pwned())',
  '![picture](https://evil.test/pixel.png) <https://evil.test/"onclick="pwned()> <a href="javascript:pwned()">x</a>',
  '[https://good.test](https://good.test@evil.test/) **<b onclick=pwned()>bold</b>** `<script>pwned()</script>`',
].join('\n\n')
const PICTURE = 'https://docent.test/picture.png'
const KEEPER = 'Where does the keeper of the lighthouse live?'
const SAY = 'What do you say?'
// Without a word that anything knows.
const UNANSWERED = 'Who won the football world cup in 1954 <svg onload="zzzz()">?'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** A bot whose every word is an attack: settings, pages, a curated answer, a product. */
async function startHostileShop() {
  const shop = await startShop({
    environment: { BASE_URL: 'http://127.0.0.1' },
    settings: {
      name: '<b onclick=pwned()>Shop</b>',
      widget: { title: ATTACK.slice(0, 60), greeting: attacks, suggested_questions: [ATTACK], logo_url: null },
      lead_form: {
        intro: ATTACK,
        fields: [
          { name: 'email', label: ATTACK.slice(0, 80), type: 'email', required: true },
          { name: 'name', label: null, type: 'text', required: false },
          { name: 'message', label: null, type: 'long_text', required: false },
        ],
        consent_text: ATTACK,
      },
      handover: { hours: { timezone: 'UTC', open: [] } },
    },
    answers: [{ question: SAY, answer: attacks, url: 'https://shop.test/say' }],
    catalogue: [
      {
        id: 'p1',
        title: `Backpack ${ESCAPED}`,
        price: 1,
        currency: 'EUR',
        brand: ATTACK,
        link: 'https://shop.test/x',
        image_link: PICTURE,
        product_type: 'Bags > Backpacks',
      },
    ],
  })
  const text = 'The keeper of the lighthouse lives on the island of Sylt.'
  const documents = [
    { id: 'keeper', title: `Keeper ${ATTACK}`, url: 'https://shop.test/"><script>pwned()</script>', text },
  ]
  await shop.manage('POST /api/manage/v1/bots/{botId}/documents', { body: { documents } })
  return shop
}

test('the widget: also while an answer comes in character by character', async () => {
  const shop = await startHostileShop()
  const visitor = await arrive(browser, shop, {
    head: '<script>window.pwned = () => { window.isPwned = true }</script>',
    before: splitAnswers,
  })
  const { page, inWidget, say, answers, problems } = visitor
  await page.evaluate(`Docent.identify({ name: ${JSON.stringify(ATTACK)} })`)
  await visitor.open()
  await page.evaluate(watchNodes)
  await say(ATTACK)
  await answers(1)
  await say(SAY)
  await (await answers(2)).filter({ hasText: 'pwned' }).waitFor()
  await say('Do you have a backpack?')
  await (await answers(3)).locator('.products').filter({ hasText: 'onerror' }).waitFor()
  await say(KEEPER)
  await (await answers(4)).locator('.sources').filter({ hasText: 'onerror' }).waitFor()
  await inWidget('.header .icon').first().click()
  await inWidget('.lead').filter({ hasText: 'onerror' }).waitFor()
  const conversations = '/api/manage/v1/bots/{botId}/conversations'
  const { items } = await shop.manage(`GET ${conversations}`)
  const params = { conversationId: items[0].id }
  await shop.manage(`POST ${conversations}/{conversationId}/messages`, { params, body: { text: attacks } })
  await inWidget('.entry.agent').waitFor()

  const pageContents = await page.evaluate(() => (window as unknown as { seen: Record<string, string[]> }).seen)
  expect(pageContents.tags).toContain('strong')
  expect(pageContents.tags).not.toContain('script')
  expect(pageContents.links?.filter((protocol) => !['http:', 'https:', 'mailto:', 'tel:'].includes(protocol))).toEqual(
    [],
  )
  expect(pageContents.handlers).toEqual([])
  expect(pageContents.pictures).toEqual([PICTURE])
  expect(await page.evaluate(() => 'isPwned' in window)).toBe(false)
  expect(problems.filter(isWrong)).toEqual([])
})

test('the dashboard, on every screen that shows words of others', async () => {
  const shop = await startHostileShop()
  const { baseUrl, botId, manage } = shop
  const visitor = createVisitor(shop.call, botId)
  const name = `Mallory ${ATTACK}`
  const link = 'javascript:pwned() https://evil.test/?a=1"onclick="pwned()'
  const page_url = 'https://shop.test/?q="><script>pwned()</script>'
  await visitor.say(`${ATTACK} ${link}`, { visitor: { name }, page_url })
  const response = await visitor.say(SAY)
  await visitor.say('Do you have a backpack?')
  await visitor.say(KEEPER)
  await visitor.post('feedback', { message_id: response.body.message_id, rating: 'down', reason: ATTACK })
  await visitor.post('lead', { fields: { email: 'mallory@evil.test', message: attacks, name }, consent: true })
  const { items } = await manage('GET /api/manage/v1/bots/{botId}/conversations')
  await createVisitor(shop.call, botId).say(UNANSWERED)
  const note = '/api/manage/v1/bots/{botId}/conversations/{conversationId}/notes'
  await manage(`POST ${note}`, { params: { conversationId: items[0].id }, body: { text: attacks } })

  const page = await (await newContext(browser, { viewport: { width: 1440, height: 900 }, locale: 'en-GB' })).newPage()
  await page.clock.setFixedTime(shop.clock.now)
  await setUp(page, baseUrl, shop.setUpToken)
  const problems = watch(page, [baseUrl])
  const strange: string[] = []
  const look = async (
    place: string,
    { opening, text = 'onerror="pwned()"' }: { opening?: RegExp; text?: string } = {},
  ) => {
    await page.goto(`${baseUrl}${place}`)
    // It is there to be seen, as text.
    await page.getByText(text).filter({ visible: true }).first().waitFor()
    if (opening) {
      await page.getByRole('button', { name: opening }).first().click()
      await page.getByRole('dialog').getByText('<script>pwned()</script>').first().waitFor()
    }
    strange.push(...(await page.evaluate(strangers)).map((each) => `${place}: ${each}`))
  }
  const bot = `/bots/${botId}`
  await look(`${bot}/inbox/${items[0].id}`)
  const inLog = page.getByRole('log', { name: 'Messages' })
  await inLog.getByText('<script>pwned()</script>').first().waitFor()
  const links = await inLog
    .getByRole('article')
    .first()
    .getByRole('link')
    .evaluateAll((all) => all.map((each) => [each.getAttribute('href'), each.getAttribute('rel')]))
  expect(links).toEqual([['https://evil.test/?a=1', 'noopener noreferrer nofollow']])
  await look(`${bot}/leads`, { opening: /Mallory/ })
  await look(`${bot}/analytics`)
  await look(`${bot}/unanswered`, { text: UNANSWERED })
  await look(`${bot}/settings/privacy`)
  await look(`${bot}/settings/appearance`)
  await look(`${bot}/knowledge/documents`)
  await look(`${bot}/knowledge/documents/keeper`)
  await look(`${bot}/knowledge/answers`)
  await look(`${bot}/knowledge/products`)
  expect(strange).toEqual([])
  expect(problems.filter(isWrong)).toEqual([])
})

/** The picture of a product is the one thing that may come from elsewhere. */
const isWrong = (problem: string) => !problem.includes(PICTURE) && !problem.includes('ERR_NAME_NOT_RESOLVED')

/** Each character of an answer comes as an event of its own. */
async function splitAnswers(page: Page) {
  await page.route('**/message', async (route) => {
    const response = await route.fetch()
    const event = (text: string) => `event: delta\ndata: ${JSON.stringify({ text })}\n\n`
    const body = (await response.text()).replace(/event: delta\ndata: (.+)\n\n/g, (_, data) =>
      [...JSON.parse(data).text].map(event).join(''),
    )
    await route.fulfill({ response, body })
  })
}

/** Notes every node that is ever in the widget, for as short a time as it may be. */
function watchNodes() {
  const contents = {
    tags: new Set<string>(),
    links: new Set<string>(),
    handlers: new Set<string>(),
    pictures: new Set<string>(),
  }
  const note = (node: Node) => {
    if (!(node instanceof Element)) return
    contents.tags.add(node.localName)
    for (const name of node.getAttributeNames()) if (name.startsWith('on')) contents.handlers.add(name)
    if (node instanceof HTMLAnchorElement) contents.links.add(new URL(node.href).protocol)
    if (node instanceof HTMLImageElement) contents.pictures.add(node.src)
    for (const child of node.children) note(child)
  }
  const root = document.querySelector('docent-chat')?.shadowRoot as ShadowRoot
  for (const child of root.children) note(child)
  new MutationObserver((records) => {
    for (const { addedNodes, target } of records) for (const node of [target, ...addedNodes]) note(node)
  }).observe(root, { subtree: true, childList: true, attributes: true })
  Object.defineProperty(window, 'seen', {
    get: () => Object.fromEntries(Object.entries(contents).map(([name, values]) => [name, [...values]])),
  })
}

/** Nodes and links that only markup of others could have made. */
function strangers(): string[] {
  const nodes = '#root, [role=dialog]'
  const injectedTags = 'img[src=x], script, svg[onload], b, [onerror], [onload], [onclick], img[src*="evil"]'
  const bad = 'a[href^="javascript:" i], a[href^="data:" i], a[href^="vbscript:" i], a[href*="@evil"]'
  return [...document.querySelectorAll(nodes)].flatMap((root) =>
    [...root.querySelectorAll(`${injectedTags}, ${bad}`)].map((node) => node.outerHTML.slice(0, 200)),
  )
}
