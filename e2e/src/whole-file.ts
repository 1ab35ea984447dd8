// Shares a browser and a server between the tests of a file. Each test opens its own context.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openPage } from './dashboard.ts'

type OnEnd = (then: () => unknown) => void

interface Running {
  baseUrl: string
  /** The default session of pages. */
  cookie: string
}

export function wholeFile<T extends Running>(start: (onEnd: OnEnd) => Promise<T>) {
  const cleanups: (() => unknown)[] = []
  let server: T
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
    server = await start((then) => cleanups.unshift(then))
  })
  afterAll(async () => {
    await browser?.close()
    for (const end of cleanups) await end()
  })

  return {
    browser: () => browser,
    running: () => server,
    /** Opens a page in a new browser context, closed after the test. */
    async open(options: Parameters<typeof openPage>[2] = {}) {
      const tab = await openPage(browser, server.baseUrl, { cookie: server.cookie, ...options })
      onTestFinished(() => tab.context.close())
      return tab
    },
  }
}
