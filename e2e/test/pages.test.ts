import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { launchBrowser } from '../src/browser.ts'
import { sideways, violations, watchErrors } from '../src/look-at-page.ts'

const INSTALL_MS = 600_000
const pages = ['/docs', '/demo', '/demo/shipping', '/demo/de/versand']
const looks = [
  { name: 'desktop, light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, INSTALL_MS)
afterAll(() => browser?.close())

describe.each(looks)('in Chromium ($name)', ({ viewport, colorScheme }) => {
  test.each(pages)('%s loads without errors, fits the screen and has no accessibility violation', async (path) => {
    const { baseUrl } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' } })
    const page = await openPage({ viewport, colorScheme })
    const problems = watchErrors(page)
    const response = await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    expect(response?.status()).toBe(200)
    expect(await sideways(page)).toBe(0)
    expect(problems).toEqual([])
    await keepFewOperations(page)
    expect(await violations(page)).toEqual([])
  })
})

/** Of the API page, whose operations are made alike: all of them would take axe a minute. */
async function keepFewOperations(page: Page) {
  await page.evaluate(() => {
    const all = [...document.querySelectorAll('.operation')]
    for (const [place, operation] of all.entries()) if (place % 15 > 0) operation.remove()
  })
}

async function openPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}
