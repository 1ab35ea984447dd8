// A visitor's view of the widget.
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { WAIT_TIMEOUT_MS } from '../../server/test/harness/wait.ts'
import { serveHostPage, shopHtml } from './host-page.ts'

/** Closed after the test. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_TIMEOUT_MS)
  onTestFinished(() => context.close())
  return context
}

interface Options extends BrowserContextOptions {
  /** Added to the head of the host page. */
  head?: string
  policy?: string
  /** Who the page says the visitor is. */
  userToken?: string
  /** Runs before the page loads. */
  before?: (page: Page) => Promise<unknown>
}

/** Opens a host page with the bot's widget. */
export async function arrive(
  browser: Browser,
  { baseUrl, botId }: { baseUrl: string; botId: string },
  { head, policy, userToken, before, ...options }: Options = {},
) {
  const address = await serveHostPage({
    html: shopHtml(baseUrl, botId, head, userToken),
    ...(policy ? { policy } : {}),
  })
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
    /** The latest complete answer. */
    answer: () => inWidget('[role=log] .entry.bot').last(),
    /** Waits for this many complete answers. */
    async answers(count: number) {
      await inWidget('[role=log] .entry.bot')
        .nth(count - 1)
        .waitFor()
      return inWidget('[role=log] .entry.bot').last()
    },
  }
}

/** Collects errors, dialogs, and requests to URLs that are not allowed. */
export function watch(page: Page, allowedOrigins: string[]) {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith('data:') && !allowedOrigins.some((origin) => url.startsWith(origin)))
      problems.push(`request: ${url}`)
  })
  return problems
}

/**
 * Violations in the widget's current state; with rules, of these only. The page's policy must allow the test's script.
 */
export async function violationsOf(page: Page, rules: string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ content: axe.source })
  // Wait for animations, because colours differ while the panel fades in.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))))
  const violations = await page.evaluate(async (names) => {
    const { axe: run } = globalThis as unknown as { axe: typeof axe }
    const root = document.querySelector('docent-chat')?.shadowRoot
    const moving = root?.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations === 1) ?? []
    await Promise.all(moving.map(({ finished }) => finished.catch(() => {})))
    return (await run.run(names.length > 0 ? { runOnly: names } : {})).violations
  }, rules)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join(', ')}`,
  )
}
