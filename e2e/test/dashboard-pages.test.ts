// Every screen of the dashboard and its dialogs, in both themes, wide and on a phone: no errors, no sideways scrolling,
// no violation.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from '../src/axe.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import { screensOf, startFurnishedBot } from '../src/furnished-bot.ts'
import { finishAnimations, sideways, violationsInBothThemes, watchShifts } from '../src/look-at-page.ts'
import { COLOUR_RULES, type Looks } from '../src/looks.ts'
import { makeNavigator } from '../src/walk.ts'
import { wholeFile } from '../src/whole-file.ts'

const file = wholeFile(startFurnishedBot)
const seenLooks: Looks = new Set()
// Below it, the eye keeps its place: https://web.dev/articles/cls has 0.1 for a whole visit.
const MAX_SHIFT = 0.05
const LATE_MS = 60
const OPENED = '[role="dialog"], [role="menu"]'
const looks = [
  { name: 'wide, English', viewport: WIDE, locale: 'en-GB' },
  { name: 'phone, German', viewport: PHONE, locale: 'de-AT' },
]

async function openLook(look: { viewport: { width: number; height: number }; locale: string }, cookie?: string) {
  const { baseUrl, clock } = file.running()
  // Nothing fades in, so colours can be judged at once.
  const still = { colorScheme: 'light', reducedMotion: 'reduce' } as const
  const tab = await file.open({ ...look, ...still, ...(cookie === undefined ? {} : { cookie }) })
  await tab.context.clock.setFixedTime(clock.now)
  return { ...tab, ...makeNavigator(tab.page, baseUrl) }
}

async function sidewaysInBothSizes(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? WIDE
  const wideSizes: string[] = []
  for (const viewport of [PHONE, WIDE]) {
    await page.setViewportSize(viewport)
    if ((await sideways(page)) > 0) wideSizes.push(`${viewport.width} px: scrolls sideways`)
  }
  await page.setViewportSize(before)
  return wideSizes
}

test.each(looks)(
  'every screen has no errors, keeps still as its data arrives, and fits: $name',
  async ({ name, ...look }) => {
    const { page, problems, goTo } = await openLook(look)
    const shifts = await watchShifts(page)
    // So that each screen is painted before its data arrives.
    await page.route('**/api/manage/**', (route) => setTimeout(() => void route.continue(), LATE_MS))
    const pageProblems: string[] = []
    for (const place of Object.values(screensOf(file.running()))) {
      await goTo(place)
      const shift = await shifts()
      const problemsHere = shift > MAX_SHIFT ? [`moves by ${shift.toFixed(3)} as its data arrives`] : []
      if ((await sideways(page)) > 0) problemsHere.push('scrolls sideways')
      pageProblems.push(...[...problemsHere, ...problems.splice(0)].map((each) => `${name} ${place}: ${each}`))
    }
    expect(pageProblems).toEqual([])
  },
)

// Apart from the test above: what moves shortly after the window has changed its size counts as the user's doing.
test('every screen has no violation in both themes and sizes', async () => {
  const { page, goTo } = await openLook({ viewport: WIDE, locale: 'en-GB' })
  const pageProblems: string[] = []
  for (const place of Object.values(screensOf(file.running()))) {
    await goTo(place)
    for (const table of await page.locator('summary').all()) await table.click()
    const problemsHere = await violations(page, { without: COLOUR_RULES })
    problemsHere.push(...(await fourLooks(page, seenLooks, 'as it is')))
    pageProblems.push(...problemsHere.map((each) => `${place}: ${each}`))
  }
  expect(pageProblems).toEqual([])
})

test('every screen fits in both sizes in a language with long words', async () => {
  const { page, goTo } = await openLook({ viewport: WIDE, locale: 'de-AT' })
  const pageProblems: string[] = []
  for (const place of Object.values(screensOf(file.running()))) {
    await goTo(place)
    for (const table of await page.locator('summary').all()) await table.click()
    pageProblems.push(...(await sidewaysInBothSizes(page)).map((each) => `${place}: ${each}`))
  }
  expect(pageProblems).toEqual([])
})

test.each(looks)('so do the pages before the log-in: $name', async ({ name, ...look }) => {
  const { page, problems, goTo } = await openLook(look, '')
  const pageProblems: string[] = []
  for (const place of [
    '/login',
    '/setup',
    '/invitation',
    '/reset',
    '/invitation#token',
    '/reset#token',
    '/email',
    '/email#token',
  ]) {
    // A new fragment alone would not load the page.
    if (place.includes('#')) await page.goto('about:blank')
    await goTo(place)
    const problemsHere = [...(await sidewaysInBothSizes(page)), ...problems.splice(0)]
    if (look.locale === 'en-GB') problemsHere.push(...(await violationsInBothThemes(page, seenLooks)))
    pageProblems.push(...problemsHere.map((each) => `${name} ${place}: ${each}`))
  }
  expect(pageProblems).toEqual([])
})

test('dialogs and menus have no violation in both themes, and close with the Escape key', async () => {
  const { botId, conversationId } = file.running()
  const bot = `/bots/${botId}`
  const { page, problems, goTo } = await openLook({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  const openings: [place: string, button: string][] = [
    [`${bot}/settings/api`, 'New key'],
    [`${bot}/settings/api`, 'Actions: Website'],
    [`${bot}/settings/integrations`, 'New webhook'],
    [`${bot}/settings/notifications`, 'New channel'],
    [`${bot}/settings/deliveries`, 'Test event webhook.test'],
    [`${bot}/knowledge/answers`, 'Add answer'],
    [`${bot}/knowledge`, 'Add website'],
    [`${bot}/knowledge/products`, 'Add products'],
    [`${bot}/actions`, 'New action'],
    [`${bot}/actions`, 'Actions: Order status'],
    [`${bot}/settings`, 'Delete bot'],
    [`${bot}/inbox/${conversationId}`, 'Assign'],
    [`${bot}/inbox/${conversationId}`, 'Snooze'],
    [`${bot}/inbox/${conversationId}`, 'Tags'],
    ['/workspace', 'Invite member'],
    ['/account', 'Set up'],
    ['/account', 'Unlink'],
    ['/bots', 'Open menu'],
    ['/bots', 'Search'],
  ]
  const pageProblems: string[] = []
  for (const [place, button] of openings) {
    await goTo(place)
    await page.getByRole('button', { name: button, exact: true }).click()
    const popup = page.locator(OPENED).filter({ visible: true })
    await popup.first().waitFor()
    await finishAnimations(page)
    const problemsHere = [
      ...(await violationsInBothThemes(page, seenLooks, OPENED)),
      ...(await sidewaysInBothSizes(page)),
    ]
    pageProblems.push(...problemsHere.map((each) => `${place} ${button}: ${each}`))
    await page.keyboard.press('Escape')
    await popup.first().waitFor({ state: 'hidden' })
  }
  expect([...pageProblems, ...problems]).toEqual([])
})

test('what the server has against a field is said once, below the field, which gets the focus', async () => {
  const { page, goTo } = await openLook({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  await goTo(`/bots/${file.running().botId}/knowledge`)
  await page.getByRole('button', { name: 'Add website', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel('URL')
  await field.fill('127.0.0.1:9')
  await dialog.getByRole('button', { name: 'Start crawl' }).click()
  await dialog.getByText('ALLOWED_PRIVATE_NETWORKS').waitFor()
  await expect.poll(() => dialog.getByText('ALLOWED_PRIVATE_NETWORKS').count()).toBe(1)
  expect(await dialog.getByRole('alert').count()).toBe(0)
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true)
})

test('the writing of questions shows its estimate, is switched on, and says why it waits', async () => {
  const { page, problems, goTo } = await openLook({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  await goTo(`/bots/${file.running().botId}/settings/model`)
  const card = page.getByRole('region', { name: 'Generated questions' })
  await expect
    .poll(() => card.textContent())
    .toMatch(/Off0 of \d+ sectionsRemaining \(estimate\)1 call, \d+ tokens in, \d+ tokens out, cost 0\.0/)
  const generatorSwitch = card.getByRole('switch', { name: 'Generate questions for new and changed sections' })
  await generatorSwitch.click()
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await generatorSwitch.isChecked()).toBe(false)
  await generatorSwitch.click()
  await page.getByRole('button', { name: 'Save' }).click()
  await card.getByText('The last call failed: the provider could not be reached.').waitFor()
  await finishAnimations(page)
  expect(problems).toEqual([])
  expect(await sideways(page)).toBe(0)
})

test('a test of a model’s settings says what is wrong and what to do, and a provider asks for what it needs alone', async () => {
  const { page, problems, goTo } = await openLook({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  await goTo(`/bots/${file.running().botId}/settings/model`)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('It didn’t work: the provider could not be reached').waitFor()
  await page.getByText('Check the base URL, and that the server is running').waitFor()
  const choose = async (provider: string) => {
    await page.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: provider }).click()
  }
  await choose('Ollama')
  const address = page.getByLabel('Base URL')
  await expect.poll(() => address.inputValue()).toBe('http://localhost:11434/v1')
  // A service has an address that nobody has to know, and a key.
  await choose('Google Gemini')
  await address.waitFor({ state: 'detached' })
  await page.getByLabel('API key', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Provider' }).inputValue()).not.toBe('Google Gemini')
  await finishAnimations(page)
  expect(problems).toEqual([])
  expect(await sideways(page)).toBe(0)
})
