// Helpers to use the dashboard.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser as client, PASSWORD } from '../../server/test/harness/people.ts'
import type { TestServer } from '../../server/test/harness/start-server.ts'
import { WAIT_TIMEOUT_MS } from '../../server/test/harness/wait.ts'
import { watchErrors } from './look-at-page.ts'

const M = '/api/manage/v1'

export const person = { name: 'Ada Example', email: 'ada@example.test', password: PASSWORD }

/** Creates the first account, with the link printed on the first start. */
export async function setUp(page: Page, baseUrl: string, token: string | null) {
  await page.goto(`${baseUrl}/setup#${token}`)
  await page.getByLabel('Your name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${baseUrl}/`)
}

export async function logIn(page: Page, baseUrl: string, place = '/bots', account = person) {
  await page.goto(`${baseUrl}/login?next=${encodeURIComponent(place)}`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** The owner's cookie, created by API. Another test clicks through the setup. */
export async function ownerCookie({ call, setUpToken }: Pick<TestServer, 'call' | 'setUpToken'>): Promise<string> {
  const owner = client(call)
  const response = await owner.call(`POST ${M}/setup`, { body: { token: setUpToken, ...person } })
  if (response.status !== 200) throw new Error(response.text)
  return owner.cookie()
}

/** Opens a page in a new browser context, logged in if there is a cookie. */
export async function openPage(
  browser: Browser,
  baseUrl: string,
  { cookie, ...options }: BrowserContextOptions & { cookie?: string } = {},
) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB', ...options })
  const [name = '', value = ''] = cookie?.split('=') ?? []
  if (cookie) await context.addCookies([{ name, value, domain: '127.0.0.1', path: '/', secure: true, httpOnly: true }])
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_TIMEOUT_MS)
  return { context, page, problems: watchErrors(page), baseUrl }
}
