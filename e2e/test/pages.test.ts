import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { launchBrowser } from '../src/browser.ts'
import { sideways, violations, watchErrors } from '../src/look-at-page.ts'

const INSTALL_MS = 600_000
// On the long API page they take three times as long as all other rules, so there they are a test of their own.
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block']
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
    const { page, problems } = await open(path)
    expect(await sideways(page)).toBe(0)
    expect(problems).toEqual([])
    expect(await violations(page, { without: path === '/docs' ? ABOUT_COLOURS : [] })).toEqual([])
  })

  test('the colours of /docs can be told apart', async () => {
    const { page } = await open('/docs')
    expect(await violations(page, { only: ABOUT_COLOURS })).toEqual([])
  })

  async function open(path: string) {
    const { baseUrl } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' } })
    const page = await openPage({ viewport, colorScheme })
    const problems = watchErrors(page)
    const response = await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    expect(response?.status()).toBe(200)
    return { page, problems }
  }
})

async function openPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}
