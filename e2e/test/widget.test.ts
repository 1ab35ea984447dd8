// The widget in a real browser, on pages of somebody else, against the real server.
import type { Browser, ConsoleMessage } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer } from '../../server/test/harness/external/mail-server.ts'
import { launchBrowser } from '../src/browser.ts'
import { PHONE, WIDE } from '../src/four-looks.ts'
import { strictPolicy } from '../src/host-page.ts'
import { startShop } from '../src/shop-bot.ts'
import { arrive, violationsOf } from '../src/widget-page.ts'

const CONVERSATIONS = '/api/manage/v1/bots/{botId}/conversations'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('a visitor asks, follows up, gets a product, rates, leaves a lead, and is helped by a person, on a page under a strict policy', async () => {
  const mail = await startMailServer()
  const shop = await startShop({ environment: { SMTP_URL: mail.url, MAIL_FROM: 'shop@example.com' } })
  const { manage } = shop
  const visitor = await arrive(browser, shop, { policy: strictPolicy(shop.baseUrl) })
  const { page, inWidget, say, answers, problems } = visitor

  await visitor.launcher.focus()
  await page.keyboard.press('Enter')
  await inWidget('.disclaimer').waitFor()
  await expect.poll(() => inWidget('.disclaimer').textContent()).toContain('automated assistant')

  await say('How long does delivery take?')
  expect(await (await answers(1)).textContent()).toContain('two to four working days')
  expect(await visitor.answer().locator('.sources a').getAttribute('href')).toContain('https://shop.test/shipping')
  await say('And express?')
  expect(await (await answers(2)).textContent()).toContain('one working day')

  await visitor.answer().getByLabel('Not helpful').click()
  await inWidget('.rating textarea').fill('Too short')
  await inWidget('.rating form').getByText('Send').click()
  await inWidget('.rating form').waitFor({ state: 'detached' })
  expect(await visitor.answer().getByLabel('Not helpful').getAttribute('aria-pressed')).toBe('true')

  await say('Do you have a red backpack?')
  const card = (await answers(3)).locator('.products li')
  await expect.poll(() => card.textContent()).toContain('Kestrel backpack')
  await expect.poll(() => card.textContent()).toContain('€89.50')
  expect(await card.locator('a').getAttribute('rel')).toBe('noopener noreferrer nofollow')

  await say('Who won the football world cup in 1954?')
  await answers(4)
  await manage('PATCH /api/manage/v1/bots/{botId}', { body: { handover: { hours: { timezone: 'UTC', open: [] } } } })
  await visitor.answer().getByRole('button', { name: 'Talk to a person' }).click()
  const form = inWidget('form.lead')
  await form.getByRole('button', { name: 'Send' }).click()
  expect(await form.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  await form.getByLabel('Email').fill('ada@example.com')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.filter({ hasText: 'We’ll get back to you' }).waitFor()
  expect((await manage('GET /api/manage/v1/bots/{botId}/leads')).items).toMatchObject([{ email: 'ada@example.com' }])

  await manage('PATCH /api/manage/v1/bots/{botId}', { body: { handover: { hours: null } } })
  await inWidget('.header').getByLabel('Talk to a person').click()
  await inWidget('.bar.requested').waitFor()
  const conversations = await manage(`GET ${CONVERSATIONS}`)
  const conversationId: string = conversations.items[0].id
  expect(conversations.items[0].handover.status).toBe('requested')

  const params = { conversationId }
  await manage(`POST ${CONVERSATIONS}/{conversationId}/messages`, {
    params,
    body: { text: 'Hello, **this is a person**.' },
  })
  await inWidget('.entry.agent').waitFor()
  await expect.poll(() => inWidget('.entry.agent strong').textContent()).toBe('this is a person')
  await expect.poll(() => inWidget('.bar.active').textContent()).toContain('Support')
  await manage(`POST ${CONVERSATIONS}/{conversationId}/typing`, { params })
  await inWidget('.typing').filter({ hasText: 'Support' }).waitFor()

  await say('My boots leak')
  await page.reload()
  await inWidget('.entry.visitor').filter({ hasText: 'My boots leak' }).waitFor()
  expect(await inWidget('.entry.visitor .text').allTextContents()).toEqual([
    'How long does delivery take?',
    'And express?',
    'Do you have a red backpack?',
    'Who won the football world cup in 1954?',
    'My boots leak',
  ])
  await expect.poll(() => inWidget('.bar.active').textContent()).toContain('Support')

  // With the panel closed a reply still arrives, and is counted.
  await page.keyboard.press('Tab')
  await visitor.composer.focus()
  await page.keyboard.press('Escape')
  await visitor.panel.waitFor({ state: 'hidden' })
  await manage(`POST ${CONVERSATIONS}/{conversationId}/messages`, { params, body: { text: 'Please send them in.' } })
  await inWidget('.badge').filter({ hasText: '1' }).waitFor()
  await visitor.open()
  await inWidget('.entry.agent').filter({ hasText: 'Please send them in.' }).waitFor()

  await inWidget('.bar').getByText('Back to the assistant').click()
  await inWidget('.entry.note').filter({ hasText: 'answering again' }).waitFor()
  await say('Can I return goods?')
  await inWidget('.entry.bot').filter({ hasText: '30 days' }).waitFor()

  await inWidget('.header').getByLabel('Menu').click()
  await inWidget('.menu').getByText('Email me this conversation').click()
  await inWidget('.entry.note').filter({ hasText: 'a…@example.com' }).waitFor()

  const conversation = await manage(`GET ${CONVERSATIONS}/{conversationId}`, { params })
  const ratedMessages = conversation.messages.filter((message: { rating: string | null }) => message.rating)
  expect(ratedMessages).toMatchObject([{ rating: 'down', rating_reason: 'Too short' }])
  expect(conversation.handover.status).toBe('closed')
  expect(await visitor.context.cookies()).toEqual([])
  expect(problems).toEqual([])
})

test('a visitor introduces themselves, sends a file and emoji, finds an earlier conversation again, and rates it', async () => {
  const fields = [{ name: 'name', label: null, type: 'text', required: true }]
  const shop = await startShop({
    settings: {
      widget: {
        launcher_text: 'Need help?',
        launcher_icon: 'question',
        offset_side_px: 48,
        offset_bottom_px: 64,
        hide_on: ['#hidden'],
        pre_chat: { intro: 'Who are you?', fields, consent_text: null },
        proactive_messages: [
          { message: 'May I help?', delay_seconds: 0, page_pattern: '#first' },
          { message: 'Still looking?', delay_seconds: 0, page_pattern: '#second' },
        ],
      },
    },
  })
  const visitor = await arrive(browser, shop, { viewport: WIDE, reducedMotion: 'reduce' })
  const { page, inWidget, say, answers, composer, launcher, problems } = visitor
  const go = (hash: string) =>
    page.evaluate((next) => {
      location.hash = next
    }, hash)
  const pick = async (name: string) => {
    await inWidget('.header').getByLabel('Menu').click()
    await inWidget('.menu').getByText(name).click()
  }
  const pageProblems: string[] = []
  const look = async (state: string) => {
    for (const [colorScheme, viewport] of [
      ['light', PHONE],
      ['dark', PHONE],
      ['dark', WIDE],
      ['light', WIDE],
    ] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await inWidget(`.root.${colorScheme}`).waitFor({ state: 'attached' })
      const rules = colorScheme === 'dark' ? ['color-contrast'] : []
      const violations = await violationsOf(page, rules)
      pageProblems.push(...violations.map((each) => `${state}, ${viewport.width} px, ${colorScheme}: ${each}`))
    }
  }

  await launcher.filter({ hasText: 'Need help?' }).waitFor()
  const place = await launcher.evaluate((node) => {
    const { right, bottom } = node.getBoundingClientRect()
    return [innerWidth - right, innerHeight - bottom]
  })
  expect(place).toEqual([48, 64])
  await go('hidden')
  await launcher.waitFor({ state: 'hidden' })
  await go('first')
  await inWidget('.nudge').filter({ hasText: 'May I help?' }).waitFor()
  await inWidget('.nudge').getByLabel('Cancel').click()
  await go('second')
  await inWidget('.nudge').filter({ hasText: 'Still looking?' }).waitFor()
  await look('the button')

  await launcher.click()
  // Above the button, once it has risen.
  const below = () => inWidget('.panel').evaluate((node) => innerHeight - node.getBoundingClientRect().bottom)
  await expect.poll(below).toBe(64 + 72)
  const form = inWidget('form.lead')
  await form.getByLabel('Name').fill('Ada')
  expect(await composer.isVisible()).toBe(false)
  await look('the form before the chat')
  await form.getByRole('button', { name: 'Send' }).click()
  await composer.waitFor()
  await say('Do you have a red backpack?')
  const card = (await answers(1)).locator('.products li')
  await card.filter({ hasText: 'Kestrel backpack' }).waitFor()
  expect((await inWidget('.entry.bot').last().textContent())?.match(/Kestrel backpack/g)).toHaveLength(1)
  expect(await inWidget('.entry time:visible').allTextContents()).toEqual(['now'])

  await inWidget('.composer').getByLabel('Emoji and files').click()
  await inWidget('.emoji').getByText('👍').click()
  await expect.poll(() => composer.inputValue()).toBe('👍')
  await look('emoji and files')
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await inWidget('.tools input').setInputFiles({
    name: 'boots.png',
    mimeType: 'image/png',
    buffer: Buffer.from(PNG, 'base64'),
  })
  await inWidget('.entry.visitor .file img').waitFor()
  await inWidget('.entry.bot').filter({ hasText: 'received your file' }).waitFor()
  // Reply buttons are there again after a reload.
  await page.reload()
  await inWidget('.entry.bot').last().getByRole('button', { name: 'Talk to a person' }).waitFor()

  await inWidget('.header').getByLabel('Menu').click()
  await look('the menu')
  // The server sends no mail.
  expect(await inWidget('.menu').getByText('Email me this conversation').count()).toBe(0)
  await page.keyboard.press('Escape')
  await inWidget('.menu').waitFor({ state: 'detached' })
  await pick('New conversation')
  await inWidget('.fresh').waitFor()
  expect(await inWidget('.entry.visitor').count()).toBe(0)
  await composer.fill('')
  await say('How long does delivery take?')
  await answers(1)
  await pick('Earlier conversations')
  await inWidget('.chat-row').waitFor()
  expect(await inWidget('.chat-name').innerText()).not.toBe('')
  await look('earlier conversations')
  await inWidget('.chat-row').click()
  await inWidget('.entry.visitor .file img').waitFor()
  await pick('Rate this conversation')
  await inWidget('.stars').getByLabel('4 of 5 stars').click()
  await inWidget('.stars textarea').fill('Quick')
  await look('the rating')
  await inWidget('.stars').getByText('Send').click()
  await inWidget('.stars').filter({ hasText: 'Thanks for your feedback' }).waitFor()
  const { items } = await shop.manage(`GET ${CONVERSATIONS}`)
  expect(items.find(({ rating }: { rating: object | null }) => rating).rating).toEqual({ stars: 4, reason: 'Quick' })
  expect(items[0].visitor.name).toBe('Ada')
  expect([...pageProblems, ...problems]).toEqual([])

  await shop.manage('PATCH /api/manage/v1/bots/{botId}', { body: { allowed_origins: ['https://shop.test'] } })
  let warning: Promise<ConsoleMessage> | undefined
  await arrive(browser, shop, {
    before: async (otherPage) => {
      warning = otherPage.waitForEvent('console', (message) => message.type() === 'warning')
    },
  })
  expect((await warning)?.text()).toContain('allowed sites')
})
