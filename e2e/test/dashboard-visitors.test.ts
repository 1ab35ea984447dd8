// Logged-in visitors as the owner of a bot sets them up, and as the team sees them.
import { expect, test } from 'vitest'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { signToken } from '../../server/test/widget/user-tokens.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks } from '../src/four-looks.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const looks: Looks = new Set()
const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

test('a key is created, signs who a visitor is, is required, and is deleted', async () => {
  const { call, baseUrl, clock } = file.running()
  const token = ADMIN_TOKEN
  const bot = await call('POST /api/manage/v1/bots', { token, body: { name: 'Bicycle shop' } })
  const params = { botId: bot.body.id as string }
  const { page, problems } = await file.open({ reducedMotion: 'reduce' })
  const violations: string[] = []
  await page.goto(`${baseUrl}/bots/${params.botId}/settings/visitors`)
  await page.getByText('No key yet').waitFor()
  violations.push(...(await fourLooks(page, looks, 'visitors-empty')))

  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Key ID (kid)').waitFor()
  const [key = '', id = ''] = await dialog.locator('pre').allTextContents()
  expect(key).toMatch(/^dct_identity_/)
  expect(id).toMatch(/^idk_/)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await page.getByText(`…${key.slice(-4)}`).waitFor()
  await expect.poll(() => page.getByText(`kid: '${id}'`).count()).toBe(1)

  await page.getByRole('switch', { name: /^Actions/ }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()
  const savedBot = await call('GET /api/manage/v1/bots/{botId}', { token, params })
  expect(savedBot.body.identity).toEqual({ require_for_actions: true, require_for_chat: false })
  violations.push(...(await fourLooks(page, looks, 'visitors')))

  const exp = clock.now / 1000 + 60
  const claims = { sub: 'u-17', name: 'Ada Example', phone: '+43 1 234567', attributes: { plan: 'gold' }, exp }
  const user_token = signToken({ id, key }, claims)
  expect((await createVisitor(call, params.botId).say('Hello', { user_token })).status).toBe(200)
  await page.goto(`${baseUrl}/bots/${params.botId}/inbox`)
  const thread = page.getByRole('link', { name: /Ada Example/ })
  await thread.getByText('Verified').waitFor()
  await thread.click()
  const details = page.getByRole('region', { name: 'Verified by your website' })
  await expect.poll(() => details.textContent()).toMatch(/u-17.*Ada Example.*\+43 1 234567.*gold/)
  violations.push(...(await fourLooks(page, looks, 'visitors-conversation')))
  await page.goto(`${baseUrl}/bots/${params.botId}/settings/privacy`)
  await page.getByRole('listitem').filter({ hasText: 'u-17' }).getByText('Verified').waitFor()

  await page.goto(`${baseUrl}/bots/${params.botId}/settings/visitors`)
  await page.getByRole('button', { name: `Actions: ${id}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No key yet').waitFor()
  expect((await createVisitor(call, params.botId).say('Hello', { user_token })).status).toBe(401)
  expect([violations, problems]).toEqual([[], []])
})
