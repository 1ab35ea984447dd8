// A state of a page in both themes, wide and on a phone: brought about once, looked at four times.
import type { Page } from 'playwright-core'
import { showTheme, sideways } from './look-at-page.ts'
import { ABOUT_COLOURS, type Looks, newLookViolations } from './looks.ts'

export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** What axe finds in elements of a new look, and whether the page scrolls sideways; the page is left as it was. */
export async function fourLooks(page: Page, looks: Looks, state: string): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize() ?? WIDE
  const theme = await page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
  for (const viewport of [PHONE, WIDE]) {
    await page.setViewportSize(viewport)
    for (const each of ['light', 'dark'] as const) {
      await showTheme(page, each)
      // Of the theme only colours depend.
      const told = await newLookViolations(page, looks, { rules: each === 'light' ? null : ABOUT_COLOURS })
      if ((await sideways(page)) > 0) told.push('scrolls sideways')
      found.push(...told.map((one) => `${state}, ${viewport.width} px, ${each}: ${one}`))
    }
  }
  await page.setViewportSize(before)
  await showTheme(page, theme === 'dark' ? 'dark' : 'light')
  return found
}
