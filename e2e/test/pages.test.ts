import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { violations } from '../src/axe.ts'
import { sideways } from '../src/look-at-page.ts'
import { COLOUR_RULES, type Looks, newLookViolations } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const pages = [
  ['/docs/api', 200],
  ['/docs/api/chat', 200],
  ['/docs', 200],
  ['/docs/widget', 200],
  ['/docs/search?q=backup', 200],
  ['/demo', 200],
  ['/demo/shipping', 200],
  ['/demo/de/versand', 200],
  ['/nothing', 404],
] as const
const windows = [
  { name: 'desktop, light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

const file = wholeFile(async (onEnd) => {
  const { baseUrl } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' }, onEnd })
  return { baseUrl, cookie: '' }
})

describe.each(windows)('in Chromium ($name)', ({ viewport, colorScheme }) => {
  test.each(pages)(
    '%s loads without errors, fits the screen and has no accessibility violation',
    async (path, status) => {
      const { page, problems } = await open(path, status)
      expect(await sideways(page)).toBe(0)
      expect(await headroom(page)).toBeGreaterThan(4)
      // The browser reports the status of a missing page.
      expect(problems.filter((problem) => status === 200 || !problem.includes('404'))).toEqual([])
      const looks: Looks = new Set()
      // The long API pages are checked whole in one look; in the other, what looks the same is checked once.
      const isWhole = !path.startsWith('/docs/api') || colorScheme === 'light'
      if (isWhole) expect(await violations(page, { without: COLOUR_RULES })).toEqual([])
      const rules = isWhole ? COLOUR_RULES : null
      expect(await newLookViolations(page, looks, { rules, mayRemove: true })).toEqual([])
      expect(looks.size).toBeGreaterThan(status === 200 ? 20 : 3)
    },
  )

  async function open(path: string, status: number) {
    const { page, problems, baseUrl } = await file.open({ viewport, colorScheme })
    const response = await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    expect(response?.status()).toBe(status)
    return { page, problems }
  }
})

/** The space above the logo, in pixels: none where the header is too narrow for its links. */
async function headroom(page: Page): Promise<number> {
  return (await page.locator('.brand').first().boundingBox())?.y ?? 0
}

test('a call of the reference is shown in the chosen language and can be tried; an old link finds its page', async () => {
  const { page, problems, baseUrl } = await file.open({})
  await page.goto(`${baseUrl}/docs/api#post_chat`)
  await page.waitForURL(`${baseUrl}/docs/api/chat#post_chat`)
  const chat = page.locator('#post_chat')
  await chat.getByRole('button', { name: 'Python' }).click()
  await chat.getByText('urllib.request.Request').waitFor()
  expect(await chat.locator('[data-language=curl]').isVisible()).toBe(false)
  await chat.getByRole('button', { name: 'Try it' }).click()
  await chat.getByLabel(/^Key or token/).fill('dct_chat_wrong')
  await chat.getByRole('button', { name: 'Send' }).click()
  await chat.getByText('401 Unauthorized').waitFor()
  await page.goto(`${baseUrl}/docs/api/bots#post_bots_botId_avatars`)
  const upload = page.locator('#post_bots_botId_avatars')
  await upload.getByRole('button', { name: 'Python', exact: true }).waitFor()
  expect(await upload.getByRole('button', { name: 'Try it' }).count()).toBe(0)
  // The browser reports the refused call.
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
})
