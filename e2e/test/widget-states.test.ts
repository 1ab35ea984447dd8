// Every state of the widget, in both themes, at a desk and on a phone, left to right and right to left.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../src/browser.ts'
import { startShop } from '../src/shop-bot.ts'
import { arrive, violationsOf } from '../src/widget-page.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
// What a theme can change.
const COLOURS = ['color-contrast', 'link-in-text-block']

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

describe.each(['en-GB', 'ar-EG'])('in Chromium (%s)', (locale) => {
  test('no state has an accessibility violation or a way to scroll sideways, at a desk and on a phone, light and dark', async () => {
    const shop = await startShop({
      settings: {
        widget: {
          suggested_questions: ['How long does delivery take?', 'Do you have a red backpack?'],
          privacy_url: 'https://shop.test/privacy',
          proactive: { message: 'May I help?', delay_seconds: 0, page_pattern: null },
          // The hardest of colours: too light for white text, too light as text.
          colour: '#ffd400',
        },
        lead_form: {
          intro: 'We answer within a day.',
          fields: [
            { name: 'email', label: null, type: 'email', required: true },
            { name: 'phone', label: null, type: 'phone', required: false },
            { name: 'message', label: null, type: 'long_text', required: false },
          ],
          consent_text: 'I agree to be written to.',
        },
      },
    })
    const { manage } = shop
    const visitor = await arrive(browser, shop, { viewport: DESK, locale, reducedMotion: 'reduce' })
    const { page, context, inWidget, say, answers, answer } = visitor
    const isArabic = locale === 'ar-EG'

    const violationsOfState: Record<string, string[]> = {}
    /** The same page in both sizes and themes: a state is brought about once. */
    const look = async (state: string) => {
      for (const viewport of [PHONE, DESK]) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await inWidget(`.root.${colorScheme}`).waitFor({ state: 'attached' })
          const violations = await violationsOf(page, colorScheme === 'dark' ? COLOURS : [])
          if (colorScheme === 'light' && (await page.evaluate(scrollsSideways))) violations.push('scrolls sideways')
          if (violations.length > 0) violationsOfState[`${state}, ${viewport.width}, ${colorScheme}`] = violations
        }
      }
    }

    await inWidget('.say').waitFor()
    await look('proactive message')
    await inWidget('.say').click()
    await inWidget('.disclaimer').waitFor()
    await expect
      .poll(() => inWidget('.disclaimer').textContent())
      .toContain(isArabic ? 'مساعد آلي' : 'automated assistant')
    expect(await inWidget('.root').getAttribute('dir')).toBe(isArabic ? 'rtl' : 'ltr')
    await look('welcome')
    await say('How long does delivery take?')
    await answers(1)
    await look('answer with sources')
    await answer().locator('.rating .thumb-down').click()
    await inWidget('.rating textarea').waitFor()
    await look('reason for a bad rating')
    await inWidget('.rating .link').click()
    await say('Do you have a red backpack?')
    await answers(2)
    await look('product')
    await context.setOffline(true)
    await say('Can I return goods?')
    await inWidget('.failed .link').waitFor()
    await look('failed and offline')
    await context.setOffline(false)
    await inWidget('.failed .link').click()
    await answers(3)
    await manage('PATCH /api/manage/v1/bots/{botId}', { body: { handover: { hours: { timezone: 'UTC', open: [] } } } })
    await inWidget('.header .icon').first().click()
    await inWidget('.lead').waitFor()
    await inWidget('.primary').click()
    await look('lead form with complaints')
    await manage('PATCH /api/manage/v1/bots/{botId}', { body: { handover: { hours: null } } })
    await inWidget('.header .icon').first().click()
    await inWidget('.bar.requested').waitFor()
    await look('waiting for a person')
    const conversations = '/api/manage/v1/bots/{botId}/conversations'
    const { items } = await manage(`GET ${conversations}`)
    const params = { conversationId: items[0].id }
    await manage(`POST ${conversations}/{conversationId}/messages`, {
      params,
      body: { text: 'Hello, how can I help?' },
    })
    await inWidget('.entry.agent').waitFor()
    await look('with a person')
    await inWidget('.composer textarea').press('Escape')
    await inWidget('.panel').waitFor({ state: 'hidden' })
    await manage(`POST ${conversations}/{conversationId}/messages`, { params, body: { text: 'Are you there?' } })
    await inWidget('.badge').filter({ hasText: '1' }).waitFor()
    await look('unread')
    expect(violationsOfState).toEqual({})
  })
})

function scrollsSideways(): boolean {
  const scroller = document.querySelector('docent-chat')?.shadowRoot?.querySelector('.scroller')
  const isWide = (node: Element | null | undefined) => (node ? node.scrollWidth > node.clientWidth + 1 : false)
  return isWide(scroller) || isWide(document.documentElement)
}
