// Runs the accessibility checker in a page. Evaluated by the browser, so the page's content security policy does not
// block it.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The only default rule that needs the style sheets parsed anew is off; parsing them took half of the time. */
export const AXE_OPTIONS = { resultTypes: ['violations'], preload: { assets: ['media'] } } satisfies axe.RunOptions

interface Rules {
  without?: string[]
  /** A selector: only what is in such elements is checked. */
  within?: string | undefined
}

export async function violations(page: Page, { without = [], within = 'html' }: Rules = {}): Promise<string[]> {
  await injectAxe(page)
  const rules = Object.fromEntries(without.map((name) => [name, { enabled: false }]))
  const { violations: results } = await page.evaluate(
    ([context, options]) => (globalThis as unknown as { axe: typeof axe }).axe.run(context, options),
    [within, { ...AXE_OPTIONS, rules }] as const,
  )
  return describeViolations(results)
}

export async function injectAxe(page: Page) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
}

export function describeViolations(results: axe.Result[]): string[] {
  return results.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
