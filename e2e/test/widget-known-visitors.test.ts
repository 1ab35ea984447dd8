// The widget on pages that know who their visitors are.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../server/test/harness/wait.ts'
import { signToken, type TestIdentityKey } from '../../server/test/widget/user-tokens.ts'
import type { DocentApi } from '../../widget/docent-widget.d.ts'
import { launchBrowser } from '../src/browser.ts'
import { startShop } from '../src/shop-bot.ts'
import { arrive, violationsOf } from '../src/widget-page.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const QUESTION = 'How long does delivery take?'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function startKnowingShop(settings: object = {}) {
  const shop = await startShop({ settings })
  const key: TestIdentityKey = await shop.manage(`POST ${BOT}/identity-keys`)
  const exp = () => shop.clock.now / 1000 + 3600
  const conversations = async () => (await shop.manage(`GET ${BOT}/conversations`)).items
  return { ...shop, conversations, tokenOf: (sub: string) => signToken(key, { sub, name: 'Ada Example', exp: exp() }) }
}

const identify = (page: Page, token: string | null) =>
  page.evaluate((userToken) => window.Docent?.identify({ token: userToken }), token)

test('what a visitor wrote follows them when they log in, to another device, and is gone when they log out', async () => {
  const shop = await startKnowingShop()
  const phone = await arrive(browser, shop)
  await phone.open()
  await phone.say(QUESTION)
  expect(await (await phone.answers(1)).textContent()).toContain('two to four working days')
  await identify(phone.page, shop.tokenOf('u-17'))
  await waitFor(async () => (await shop.conversations())[0].visitor.level === 'verified', 'the visitor to be verified')
  await expect.poll(() => phone.inWidget('[role=log] .entry.visitor').count()).toBe(1)
  await phone.say('And express?')
  await phone.answers(2)

  const desktop = await arrive(browser, shop, { userToken: shop.tokenOf('u-17') })
  await desktop.open()
  await desktop.answers(2)
  await expect.poll(() => desktop.inWidget('[role=log] .entry.visitor').first().textContent()).toContain(QUESTION)
  await desktop.say('Thank you!')
  await desktop.answers(3)
  const all = await shop.conversations()
  expect(all).toMatchObject([{ visitor: { level: 'verified', user_id: 'u-17', name: 'Ada Example' } }])
  expect(all[0].message_count).toBe(6)

  await identify(desktop.page, null)
  await desktop.inWidget('[role=log] .entry.visitor').first().waitFor({ state: 'detached' })
  await desktop.say(QUESTION)
  await waitFor(async () => (await shop.conversations()).length === 2, 'an anonymous conversation')
  expect((await shop.conversations())[0].visitor.level).toBe('anonymous')

  // The page of the phone does not say who is there after a reload.
  await phone.page.reload()
  await phone.inWidget('.composer').waitFor()
  await waitFor(async () => (await phone.inWidget('[role=log] .entry.visitor').count()) === 0, 'an empty chat')
  await identify(phone.page, shop.tokenOf('u-17'))
  await phone.answers(3)
  expect(await violationsOf(phone.page)).toEqual([])
})

test('the next user of a browser sees nothing of the one before', async () => {
  const shop = await startKnowingShop()
  const { page, open, say, answers, inWidget } = await arrive(browser, shop, { userToken: shop.tokenOf('u-17') })
  await open()
  await say(QUESTION)
  await answers(1)
  await identify(page, shop.tokenOf('u-18'))
  await inWidget('[role=log] .entry.visitor').waitFor({ state: 'detached' })
  await say('Hello')
  await waitFor(async () => (await shop.conversations()).length === 2, 'a second conversation')
  const users = (await shop.conversations()).map(({ visitor }: { visitor: { user_id: string } }) => visitor.user_id)
  expect(users).toEqual(['u-18', 'u-17'])
})

test('who has logged out stays so when the page takes the chat out and puts it back', async () => {
  const shop = await startKnowingShop()
  const { page, open, say, answers, inWidget } = await arrive(browser, shop, { userToken: shop.tokenOf('u-17') })
  await open()
  await say(QUESTION)
  await answers(1)
  await identify(page, null)
  await inWidget('[role=log] .entry.visitor').waitFor({ state: 'detached' })
  await page.evaluate(async () => {
    const chat = document.querySelector('docent-chat') as HTMLElement
    chat.remove()
    await new Promise(requestAnimationFrame)
    document.body.append(chat)
  })
  await say(QUESTION)
  await waitFor(async () => (await shop.conversations()).length === 2, 'a second conversation')
  expect((await shop.conversations())[0].visitor.level).toBe('anonymous')
})

test('a visitor whose token is refused goes on anonymously', async () => {
  const shop = await startKnowingShop()
  const { open, say, answers, page } = await arrive(browser, shop, { userToken: 'forged' })
  await open()
  await say(QUESTION)
  expect(await (await answers(1)).textContent()).toContain('two to four working days')
  expect(await shop.conversations()).toMatchObject([{ visitor: { level: 'anonymous', user_id: null } }])
  const identifyResponse = page.waitForResponse((response) => response.url().endsWith('/identify'))
  await identify(page, 'forged again')
  expect((await identifyResponse).status()).toBe(401)
  await say('And express?')
  expect(await (await answers(2)).textContent()).toContain('one working day')
})

test('the page learns that a token has expired, and says again who the visitor is', async () => {
  const shop = await startKnowingShop()
  const { open, say, answers, page } = await arrive(browser, shop, { userToken: shop.tokenOf('u-17') })
  await open()
  await say(QUESTION)
  await answers(1)
  shop.clock.now += 2 * 3_600_000
  await page.exposeFunction('newToken', () => shop.tokenOf('u-17'))
  await page.evaluate(() => {
    const { newToken, Docent } = window as unknown as { newToken: () => Promise<string>; Docent: DocentApi }
    let count = 0
    Docent.on('expired', async () => {
      document.title = `expired ${++count}`
      Docent.identify({ token: await newToken() })
    })
  })
  const identifyResponse = page.waitForResponse((response) => response.url().endsWith('/identify') && response.ok())
  await say('And express?')
  await answers(2)
  await identifyResponse
  const messageRequest = page.waitForRequest((request) => request.url().endsWith('/message'))
  await say('Thank you!')
  await answers(3)
  expect((await messageRequest).postDataJSON().user_token).toBeTruthy()
  expect(await page.title()).toBe('expired 1')
  expect(await shop.conversations()).toMatchObject([{ visitor: { user_id: 'u-17' }, message_count: 6 }])
})

test('a token that is refused late leaves the newer one of the page', async () => {
  const shop = await startKnowingShop()
  const { open, say, answers, page } = await arrive(browser, shop, { userToken: shop.tokenOf('u-17') })
  await open()
  await say(QUESTION)
  await answers(1)
  shop.clock.now += 2 * 3_600_000
  await page.evaluate(() => {
    window.Docent?.on('expired', () => {
      document.title = 'expired'
    })
  })
  const firstRefusal = Promise.withResolvers<void>()
  const newToken = Promise.withResolvers<void>()
  await page.route('**/message', async (route) => {
    const response = await route.fetch()
    if (response.status() === 401) {
      firstRefusal.resolve()
      await newToken.promise
    }
    await route.fulfill({ response })
  })
  await say('And express?')
  await firstRefusal.promise
  const identifyResponse = page.waitForResponse((response) => response.url().endsWith('/identify') && response.ok())
  await identify(page, shop.tokenOf('u-17'))
  await identifyResponse
  newToken.resolve()
  await answers(2)
  const messageRequest = page.waitForRequest((request) => request.url().endsWith('/message'))
  await say('Thank you!')
  await answers(3)
  expect((await messageRequest).postDataJSON().user_token).toBeTruthy()
  expect(await page.title()).not.toBe('expired')
})

test('a chat for logged-in visitors asks others to log in, and opens when they have', async () => {
  const shop = await startKnowingShop({ identity: { require_for_chat: true } })
  const { page, open, say, answers, inWidget, composer } = await arrive(browser, shop)
  await open()
  await inWidget('.introduction').filter({ hasText: 'Please log in on the website.' }).waitFor()
  expect(await composer.isVisible()).toBe(false)
  expect(await violationsOf(page)).toEqual([])
  await identify(page, shop.tokenOf('u-17'))
  await composer.waitFor()
  await say(QUESTION)
  expect(await (await answers(1)).textContent()).toContain('two to four working days')
})
