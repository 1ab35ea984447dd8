// Runs the accessibility checker in a page. Evaluated by the browser, so the page's content security policy does not
// block it.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Rules {
  without?: string[]
}

export async function violations(page: Page, { without = [] }: Rules = {}): Promise<string[]> {
  await injectAxe(page)
  const { violations: found } = await page.evaluate((left) => {
    const rules = Object.fromEntries(left.map((name) => [name, { enabled: false }]))
    return (globalThis as unknown as { axe: typeof axe }).axe.run({ rules, resultTypes: ['violations'] })
  }, without)
  return describeViolations(found)
}

export async function injectAxe(page: Page) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
}

export function describeViolations(found: axe.Result[]): string[] {
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
