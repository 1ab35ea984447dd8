// A visitor at the widget: what they do, and what they see.
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { WAIT_TIMEOUT_MS } from '../../server/test/harness/wait-timeout.ts'
import { serveHostPage, shopHtml } from './host-page.ts'

/** Gone with the test. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_TIMEOUT_MS)
  onTestFinished(() => context.close())
  return context
}

interface Arriving extends BrowserContextOptions {
  /** Of the host page's head. */
  head?: string
  policy?: string
  /** Before the page is loaded. */
  before?: (page: Page) => Promise<unknown>
}

/** A visitor on somebody's page that carries the widget of a bot. */
export async function arrive(
  browser: Browser,
  { baseUrl, botId }: { baseUrl: string; botId: string },
  { head, policy, before, ...options }: Arriving = {},
) {
  const address = await serveHostPage({ html: shopHtml(baseUrl, botId, head), ...(policy ? { policy } : {}) })
  const context = await newContext(browser, options)
  const page = await context.newPage()
  const problems = watch(page, [address, baseUrl])
  await before?.(page)
  await page.goto(address)
  return { ...visitorOf(page), context, address, problems }
}

export function visitorOf(page: Page) {
  const inWidget = (selector: string) => page.locator(`docent-chat ${selector}`)
  const composer = inWidget('.composer textarea')
  return {
    page,
    inWidget,
    composer,
    launcher: inWidget('.launcher'),
    panel: inWidget('.panel'),
    entries: inWidget('[role=log] .entry'),
    open: () => inWidget('.launcher').click(),
    async say(text: string) {
      await composer.fill(text)
      await composer.press('Enter')
    },
    /** The newest whole answer. */
    answer: () => inWidget('[role=log] .entry.bot').last(),
    /** Waits until as many whole answers are there. */
    async answers(count: number) {
      await inWidget('[role=log] .entry.bot')
        .nth(count - 1)
        .waitFor()
      return inWidget('[role=log] .entry.bot').last()
    },
  }
}

/** Everything that went wrong on the page, and every request to an address outside of the allowed ones. */
export function watch(page: Page, allowed: string[]) {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith('data:') && !allowed.some((origin) => url.startsWith(origin))) problems.push(`request: ${url}`)
  })
  return problems
}

/** Of the widget as it stands; with names, by these rules only. The page needs a policy that lets the test in. */
export async function violationsOf(page: Page, rules: string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ content: axe.source })
  // A panel that is still fading in has other colours than it will have.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))))
  const found = await page.evaluate(async (names) => {
    const { axe: run } = globalThis as unknown as { axe: typeof axe }
    const root = document.querySelector('docent-chat')?.shadowRoot
    const moving = root?.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations === 1) ?? []
    await Promise.all(moving.map(({ finished }) => finished.catch(() => {})))
    return (await run.run(names.length > 0 ? { runOnly: names } : {})).violations
  }, rules)
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join(', ')}`,
  )
}
