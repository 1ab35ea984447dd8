// The accessibility checker in a page. Evaluated from outside, which no content policy of the page hinders.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Rules {
  without?: string[]
}

/** What it finds. */
export async function violations(page: Page, { without = [] }: Rules = {}): Promise<string[]> {
  await provideAxe(page)
  const { violations: found } = await page.evaluate((left) => {
    const rules = Object.fromEntries(left.map((name) => [name, { enabled: false }]))
    return (globalThis as unknown as { axe: typeof axe }).axe.run({ rules, resultTypes: ['violations'] })
  }, without)
  return described(found)
}

export async function provideAxe(page: Page) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
}

export function described(found: axe.Result[]): string[] {
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
