// Somebody in front of the dashboard.
import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'

export const person = { name: 'Ada Example', email: 'ada@example.test', password: 'correct horse battery' }

/** With the link that a first start prints. */
export async function setUp(page: Page, baseUrl: string, token: string | null) {
  await page.goto(`${baseUrl}/setup#${token}`)
  await page.getByLabel('Your name').fill(person.name)
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.waitForURL('**/bots')
}

export async function logIn(page: Page, baseUrl: string, place = '/bots') {
  await page.goto(`${baseUrl}/login?next=${encodeURIComponent(place)}`)
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** The code that an authenticator app would show (RFC 6238). */
export function codeOf(secret: string, now: number): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const hash = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const at = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
