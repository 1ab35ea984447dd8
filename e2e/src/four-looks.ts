// Checks the current state of a page in both themes, wide and on a phone.
import type { Page } from 'playwright-core'
import { showTheme, sideways } from './look-at-page.ts'
import { COLOUR_RULES, type Looks, newLookViolations } from './looks.ts'

export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** Violations in elements with a new look, and horizontal scrolling. Restores the page afterwards. */
export async function fourLooks(page: Page, looks: Looks, state: string): Promise<string[]> {
  const violations: string[] = []
  const before = page.viewportSize() ?? WIDE
  const theme = await page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
  for (const viewport of [PHONE, WIDE]) {
    await page.setViewportSize(viewport)
    for (const each of ['light', 'dark'] as const) {
      await showTheme(page, each)
      // The theme affects only colours.
      const problems = await newLookViolations(page, looks, { rules: each === 'light' ? null : COLOUR_RULES })
      if ((await sideways(page)) > 0) problems.push('scrolls sideways')
      violations.push(...problems.map((one) => `${state}, ${viewport.width} px, ${each}: ${one}`))
    }
  }
  await page.setViewportSize(before)
  await showTheme(page, theme === 'dark' ? 'dark' : 'light')
  return violations
}
