// What every page of ours must stand: no errors, no scrolling sideways, nothing that keeps people out.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

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

interface Rules {
  without?: string[]
  /** Instead of all. */
  only?: string[]
}

/** What axe finds. Evaluated from outside, which no content policy of the page hinders. */
export async function violations(page: Page, { without = [], only }: Rules = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const { violations: found } = await page.evaluate(
    ([left, run]) => {
      const rules = Object.fromEntries(left.map((name) => [name, { enabled: false }]))
      return (globalThis as unknown as { axe: typeof axe }).axe.run({
        rules,
        resultTypes: ['violations'],
        ...(run ? { runOnly: run } : {}),
      })
    },
    [without, only] as const,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** All rules in light, and the one that depends on colours again in dark, on the page as it stands. */
export async function violationsInBothThemes(page: Page, rules: Rules = {}): Promise<string[]> {
  const light = await violations(page, rules)
  await showTheme(page, 'dark')
  const dark = await violations(page, { ...rules, only: ['color-contrast'] })
  await showTheme(page, 'light')
  return [...light, ...dark.map((each) => `dark ${each}`)]
}

export async function showTheme(page: Page, theme: 'light' | 'dark') {
  await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme)
  await stillness(page)
}

/** Colours are judged when whatever moves only once has come to rest. */
export async function stillness(page: Page) {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations === 1)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  )
}
