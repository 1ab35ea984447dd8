// What every page of ours must stand: no errors, no scrolling sideways, nothing that keeps people out.
import type { Page } from 'playwright-core'
import { violations } from './axe.ts'
import { ABOUT_COLOURS, type Looks, newLookViolations } from './looks.ts'

/** Errors that the page reports, from now on. */
export function watchErrors(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  return problems
}

/** How far the page reaches beyond the window's right edge, in pixels. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** All rules in light, and those about colours again in dark, on the page as it stands. */
export async function violationsInBothThemes(page: Page, looks: Looks, without: string[] = []): Promise<string[]> {
  const light = await violations(page, { without: [...without, ...ABOUT_COLOURS] })
  light.push(...(await newLookViolations(page, looks)))
  await showTheme(page, 'dark')
  const dark = await newLookViolations(page, looks)
  await showTheme(page, 'light')
  return [...light, ...dark.map((each) => `dark ${each}`)]
}

export async function showTheme(page: Page, theme: 'light' | 'dark') {
  await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme)
  await stillness(page)
}

/** Colours are judged when whatever moves only once has come to rest. Ended by hand: some never report their end. */
export async function stillness(page: Page) {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations === 1) animation.finish()
    }
  })
}
