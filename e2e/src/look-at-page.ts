// Checks that every page must pass: no errors, no horizontal scrolling, and accessibility.
import type { Page } from 'playwright-core'
import { violations } from './axe.ts'
import { COLOUR_RULES, type Looks, newLookViolations } from './looks.ts'

/** Collects errors that the page reports from now on. */
export function watchErrors(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  return problems
}

/** How far the page extends beyond the window's right edge, in pixels. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/**
 * How far what was visible has moved since the page opened or this was last asked, but for half a second after a click, a
 * key or a new size of the window.
 */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    let shift = 0
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shift += entry.value
    }
    observer.observe({ type: 'layout-shift', buffered: true })
    Object.assign(globalThis, {
      takeShifts() {
        add(observer.takeRecords())
        const lastShift = shift
        shift = 0
        return lastShift
      },
    })
  })
  return () => page.evaluate(() => (globalThis as unknown as { takeShifts: () => number }).takeShifts())
}

/** All rules in the light theme, where asked only within some elements, and the colour rules again in the dark one. */
export async function violationsInBothThemes(page: Page, looks: Looks, within?: string): Promise<string[]> {
  const light = await violations(page, { without: COLOUR_RULES, within })
  light.push(...(await newLookViolations(page, looks)))
  await showTheme(page, 'dark')
  const dark = await newLookViolations(page, looks)
  await showTheme(page, 'light')
  return [...light, ...dark.map((each) => `dark ${each}`)]
}

export async function showTheme(page: Page, theme: 'light' | 'dark') {
  await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme)
  await finishAnimations(page)
}

/**
 * Finishes one-time animations before colours are checked. Waiting is not enough, because some never report their end.
 */
export async function finishAnimations(page: Page) {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations === 1) animation.finish()
    }
  })
}
