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
    // An operation stays if any element of it looks different from all before it; the others repeat what is checked.
    const kinds = await page.evaluate(() => {
      const seen = new Set<string>()
      for (const operation of document.querySelectorAll('article.operation')) {
        const known = seen.size
        for (const element of operation.querySelectorAll('*')) {
          const path = []
          for (let at: Element | null = element; at; at = at.parentElement) {
            const { color, backgroundColor, fontSize, fontWeight, opacity, textDecoration } = getComputedStyle(at)
            path.push(at.localName, at.className, color, backgroundColor, fontSize, fontWeight, opacity, textDecoration)
          }
          seen.add(path.join())
        }
        if (seen.size === known) operation.remove()
      }
      return seen.size
    })
    expect(kinds).toBeGreaterThan(20)
    expect(await violations(page, { only: ABOUT_COLOURS })).toEqual([])
  })

  async function open(path: string) {
    const { page, problems, baseUrl } = await file.open({ viewport, colorScheme })
    const response = await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    expect(response?.status()).toBe(200)
    return { page, problems }
  }
})
