// The widget for people who need it larger, or in colours of their own.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../src/browser.ts'
import { startShop } from '../src/shop-bot.ts'
import { arrive, violationsOf } from '../src/widget-page.ts'

const CONVERSATIONS = '/api/manage/v1/bots/{botId}/conversations'
const lead_form = {
  intro: 'We answer within a day.',
  fields: [{ name: 'email', label: null, type: 'email', required: true }],
  consent_text: 'I agree to be written to.',
}
const widget = { suggested_questions: ['How long does delivery take?', 'Do you have a red backpack?'] }

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('in forced colours everything has an edge or words, and the focus is shown at every stop', async () => {
  const shop = await startShop({ settings: { widget, lead_form } })
  const visitor = await arrive(browser, shop, { forcedColors: 'active', reducedMotion: 'reduce' })
  const { page, inWidget, say, answers, open } = visitor
  const violations: string[] = []
  const look = async (state: string) => {
    violations.push(...(await violationsOf(page)).map((each) => `${state}: ${each}`))
    violations.push(...(await page.evaluate(withoutEdge)).map((each) => `${state}: ${each}`))
  }
  await inWidget('.launcher').waitFor()
  await look('closed')
  await open()
  await look('welcome')
  // Held back, so that an answer is seen to be on its way.
  let letGo = () => {}
  const release = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/message', (route) => release.then(() => route.continue()))
  await say('Do you have a red backpack?')
  await inWidget('.dots').waitFor()
  await look('answer on its way')
  letGo()
  await answers(1)
  await page.unroute('**/message')
  await inWidget('.header').getByLabel('Talk to a person').click()
  await inWidget('.bar.requested').waitFor()
  await look('waiting')
  const { items } = await shop.manage(`GET ${CONVERSATIONS}`)
  const params = { conversationId: items[0].id }
  const reply = (text: string) =>
    shop.manage(`POST ${CONVERSATIONS}/{conversationId}/messages`, { params, body: { text } })
  await reply('Hello')
  await inWidget('.entry.agent').waitFor()
  await look('with a person')

  // By key from the first on: what is clicked need not show that it has the focus.
  await visitor.composer.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const focusStops = new Set<string>()
  for (let press = 0; press < 20; press++) {
    const stop = await page.evaluate(focusShown)
    if (!stop) break
    focusStops.add(stop.name)
    if (!stop.isShown) violations.push(`no focus at ${stop.name}`)
    await page.keyboard.press('Shift+Tab')
  }
  expect([...focusStops]).toEqual(expect.arrayContaining(['launcher', 'send', 'textarea', 'scroller', 'icon', 'link']))

  await visitor.composer.press('Escape')
  await reply('Are you there?')
  await inWidget('.badge').filter({ hasText: '1' }).waitFor()
  await look('unread')
  expect(violations).toEqual([])
})

describe.each([
  ['200 %', { width: 640, height: 400 }],
  ['400 %', { width: 320, height: 256 }],
])('a desktop window of 1280 × 800 (or 1024) at %s', (_name, viewport) => {
  test('loses nothing, and scrolls one way only', async () => {
    const settings = { widget, lead_form, handover: { hours: { timezone: 'UTC', open: [] } } }
    const shop = await startShop({ settings })
    const { page, inWidget, open, say, answers, panel } = await arrive(browser, shop, {
      viewport,
      reducedMotion: 'reduce',
    })
    const violations: string[] = []
    const look = async (state: string) => {
      expect(await panel.boundingBox()).toMatchObject({ x: 0, y: 0, ...viewport })
      violations.push(...(await outOfReach(page)).map((each) => `${state}: ${each}`))
    }
    await open()
    await look('welcome')
    await say('Do you have a red backpack?')
    await answers(1)
    await look('product')
    await inWidget('.header').getByLabel('Talk to a person').click()
    await inWidget('.lead').waitFor()
    await inWidget('.primary').click()
    await look('form')
    await inWidget('.header').getByLabel('Close chat').click()
    await panel.waitFor({ state: 'hidden' })
    expect(violations).toEqual([])
  })
})

/** Controls, bubbles and marks that nothing sets off from the ground, now that backgrounds are all the same. */
function withoutEdge(): string[] {
  const root = document.querySelector('docent-chat')?.shadowRoot
  const marks = '.launcher, .send, .pill, .primary, input, textarea, .visitor .text, .agent .text, .badge, .dots i'
  const isSet = (width: string, colour: string) => Number.parseFloat(width) > 0 && colour !== ground
  const ground = getComputedStyle(root?.querySelector('.panel') as Element).backgroundColor
  return [...(root?.querySelectorAll<HTMLElement>(marks) ?? [])]
    .filter((node) => node.offsetParent || node.getClientRects().length > 0)
    .filter((node) => {
      const { borderTopWidth, borderTopColor, outlineWidth, outlineColor, outlineStyle, ...style } =
        getComputedStyle(node)
      if (isSet(borderTopWidth, borderTopColor)) return false
      if (outlineStyle !== 'none' && isSet(outlineWidth, outlineColor)) return false
      return [ground, 'rgba(0, 0, 0, 0)'].includes(style.backgroundColor)
    })
    .map((node) => node.className || node.localName)
}

function focusShown(): { name: string; isShown: boolean } | null {
  const node = document.activeElement?.shadowRoot?.activeElement
  if (!node) return null
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(node)
  const ground = getComputedStyle(document.activeElement?.shadowRoot?.querySelector('.panel') as Element)
  const isShown =
    outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && outlineColor !== ground.backgroundColor
  return { name: node.classList[0] ?? node.localName, isShown }
}

/** Controls that cannot be brought into sight, words that are cut off, and whatever scrolls sideways. */
async function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('docent-chat')?.shadowRoot
    const panel = root?.querySelector('.panel')
    const all = [document.documentElement, ...(panel?.querySelectorAll<HTMLElement>('*:not(.unseen)') ?? [])]
    const visibleNodes = all.filter((node) => node.offsetParent || node === document.documentElement)
    const sideways = visibleNodes.filter(
      (node) => node.localName !== 'pre' && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0,
    )
    const coveredNodes = visibleNodes
      .filter((node) => node.matches('button, a, input, textarea, .text, label'))
      .filter((node) => {
        node.scrollIntoView({ block: 'center' })
        const { top, bottom, left, right, height } = node.getBoundingClientRect()
        const middle = (top + bottom) / 2
        // What is higher than the place to read in is scrolled through.
        if (height > innerHeight / 3) return left < 0 || right > innerWidth
        return left < 0 || right > innerWidth || middle < 0 || middle > innerHeight
      })
    const name = (node: HTMLElement) => node.className || node.localName
    return [...sideways.map((node) => `sideways ${name(node)}`), ...coveredNodes.map((node) => `hidden ${name(node)}`)]
  })
}
