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

/** What axe finds. Evaluated from outside, which no content policy of the page hinders. */
export async function violations(page: Page, without: string[] = []): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations: found } = await page.evaluate((names) => {
    const rules = Object.fromEntries(names.map((name) => [name, { enabled: false }]))
    // To tell of every element that is well takes most of the time on a long page.
    return (globalThis as unknown as { axe: typeof axe }).axe.run({ rules, resultTypes: ['violations'] })
  }, without)
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
