import { describe, expect, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { sideways, violations } from '../src/look-at-page.ts'
import { wholeFile } from '../src/whole-file.ts'

// On the long API page they take three times as long as all other rules, so there they are a test of their own.
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block']
const pages = ['/docs', '/demo', '/demo/shipping', '/demo/de/versand']
const looks = [
  { name: 'desktop, light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

const file = wholeFile(async (onEnd) => {
  const { baseUrl } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' }, onEnd })
  return { baseUrl, cookie: '' }
})

describe.each(looks)('in Chromium ($name)', ({ viewport, colorScheme }) => {
  test.each(pages)('%s loads without errors, fits the screen and has no accessibility violation', async (path) => {
    const { page, problems } = await open(path)
    expect(await sideways(page)).toBe(0)
    expect(problems).toEqual([])
    expect(await violations(page, { without: path === '/docs' ? ABOUT_COLOURS : [] })).toEqual([])
  })

  test('the colours of /docs can be told apart', async () => {
    const { page } = await open('/docs')
    // All operations are made of the same parts: two of each group show every colour in a fraction of the time.
    await page.evaluate(() => {
      for (const rest of document.querySelectorAll('article.operation ~ article.operation ~ article.operation'))
        rest.remove()
    })
    expect(await page.locator('article.operation').count()).toBeGreaterThan(10)
    expect(await violations(page, { only: ABOUT_COLOURS })).toEqual([])
  })

  async function open(path: string) {
    const { page, problems, baseUrl } = await file.open({ viewport, colorScheme })
    const response = await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    expect(response?.status()).toBe(200)
    return { page, problems }
  }
})
