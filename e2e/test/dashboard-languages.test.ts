// The dashboard in the language of the browser, or in the one that was chosen, on every screen.
import { readdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { person } from '../src/dashboard.ts'
import { screensOf, startFurnishedBot } from '../src/furnished-bot.ts'
import { sideways } from '../src/look-at-page.ts'
import { makeNavigator } from '../src/walk.ts'
import { wholeFile } from '../src/whole-file.ts'

const file = wholeFile(startFurnishedBot)
// Content of the bot, some of it in the words of our own examples.
const WRITTEN_BY_PEOPLE = [
  ...['How long does delivery take?', 'Where is my order?', 'Order status', 'Order number', 'Track my order'],
  ...['Topic', 'Website'],
]
const folder = new URL('../../dashboard/src/texts/', import.meta.url)
const english = await textsOf('en')

test('a French browser gets French from the log-in on, and Spanish once that is chosen', async () => {
  const { baseUrl } = file.running()
  const { page, problems } = await file.open({ locale: 'fr-FR', cookie: '' })
  const french = await textsOf('fr')
  const spanish = await textsOf('es')
  await page.goto(`${baseUrl}/login`)
  await page.getByLabel(french['general.auth.email'] ?? '').fill(person.email)
  await page.getByRole('textbox', { name: french['general.auth.password'] ?? '' }).fill(person.password)
  await page.getByRole('button', { name: french['general.auth.logIn'] ?? '', exact: true }).click()
  await page
    .getByRole('link', { name: french['general.shell.members'] ?? '' })
    .first()
    .waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('fr')

  await page.getByRole('button', { name: person.name }).click()
  await page.getByRole('menuitem', { name: 'Español' }).click()
  await page
    .getByRole('link', { name: spanish['general.shell.members'] ?? '' })
    .first()
    .waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  await page.reload()
  await page
    .getByRole('link', { name: spanish['general.shell.members'] ?? '' })
    .first()
    .waitFor()
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
})

test.each([
  { locale: 'fr-CA', language: 'fr', viewport: { width: 390, height: 844 } },
  { locale: 'it-IT', language: 'it', viewport: { width: 1440, height: 900 } },
])('no screen shows English texts, raw values or scrolls sideways: $locale', async ({ language, ...look }) => {
  const { baseUrl, clock } = file.running()
  const { page, context, problems } = await file.open({ ...look, reducedMotion: 'reduce' })
  await context.clock.setFixedTime(clock.now)
  const { goTo } = makeNavigator(page, baseUrl)
  const ownTexts = new Set(Object.values(await textsOf(language)))
  const foreign = new Set(
    Object.values(english).filter(
      (text) => /[a-z]{3}/.test(text) && !ownTexts.has(text) && !WRITTEN_BY_PEOPLE.includes(text),
    ),
  )
  const wrongTexts: string[] = []
  for (const place of Object.values(screensOf(file.running()))) {
    await goTo(place)
    const pageTexts = await visibleTexts(page)
    const wrong = pageTexts.filter((text) => foreign.has(text) || /undefined|\[object/.test(text))
    if ((await sideways(page)) > 0) wrong.push('scrolls sideways')
    wrongTexts.push(...[...wrong, ...problems.splice(0)].map((each) => `${place}: ${each}`))
  }
  expect(wrongTexts).toEqual([])
})

/** Every text of a language, by file, export and key. */
async function textsOf(language: string): Promise<Record<string, string>> {
  const files = readdirSync(new URL('en/', folder)).map((name) => name.slice(0, -'.ts'.length))
  const modules = files.map(async (name) => [name, await import(`../../dashboard/src/texts/${language}/${name}.ts`)])
  return Object.fromEntries(flat(Object.fromEntries(await Promise.all(modules))))
}

function flat(group: object, path = ''): [string, string][] {
  return Object.entries(group).flatMap(([name, text]): [string, string][] => {
    if (typeof text === 'string') return [[path + name, text]]
    return typeof text === 'object' ? flat(text, `${path}${name}.`) : []
  })
}

/** What is read or spoken on the page. */
function visibleTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const elements = [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility())
    const texts = elements.flatMap((element) => [
      ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent),
      ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name)),
    ])
    return [...new Set(texts.map((text) => text?.trim() ?? ''))]
  })
}
