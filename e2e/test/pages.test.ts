import { describe, expect, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { violations } from '../src/axe.ts'
import { sideways } from '../src/look-at-page.ts'
import { COLOUR_RULES, type Looks, newLookViolations } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const pages = ['/docs/api', '/docs/api/chat', '/docs', '/docs/widget', '/demo', '/demo/shipping', '/demo/de/versand']
const windows = [
  { name: 'desktop, light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

const file = wholeFile(async (onEnd) => {
  const { baseUrl } = await startServer('sqlite', { environment: { DEMO_BOT: 'on' }, onEnd })
  return { baseUrl, cookie: '' }
})

describe.each(windows)('in Chromium ($name)', ({ viewport, colorScheme }) => {
  test.each(pages)('%s loads without errors, fits the screen and has no accessibility violation', async (path) => {
    const { page, problems } = await open(path)
    expect(await sideways(page)).toBe(0)
    expect(problems).toEqual([])
    const looks: Looks = new Set()
    // The long API pages are checked whole in one look; in the other, what looks the same is checked once.
    const isWhole = !path.startsWith('/docs/api') || colorScheme === 'light'
    if (isWhole) expect(await violations(page, { without: COLOUR_RULES })).toEqual([])
    const rules = isWhole ? COLOUR_RULES : null
    expect(await newLookViolations(page, looks, { rules, mayRemove: true })).toEqual([])
    expect(looks.size).toBeGreaterThan(20)
  })

  async function open(path: string) {
    const { page, problems, baseUrl } = await file.open({ viewport, colorScheme })
    const response = await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    expect(response?.status()).toBe(200)
    return { page, problems }
  }
})

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
