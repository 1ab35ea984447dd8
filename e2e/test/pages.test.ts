import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { launchBrowser } from '../src/browser.ts'

const INSTALL_MS = 600_000
// The API page is long, and grows with every route.
const LOOK_MS = 180_000
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
  test.each(pages)(
    '%s loads without errors, fits the screen and has no accessibility violation',
    async (path) => {
      const { baseUrl } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' } })
      const page = await openPage({ viewport, colorScheme })
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(String(error)))
      const response = await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
      expect(response?.status()).toBe(200)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      expect(problems).toEqual([])

      // axe is injected by the test, which the page's strict policy would refuse; so it looks at a second one without.
      const open = await openPage({ viewport, colorScheme, bypassCSP: true })
      await open.goto(baseUrl + path)
      expect(await violations(open)).toEqual([])
    },
    LOOK_MS,
  )
})

async function openPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}

async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe.source })
  const { violations: found } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
