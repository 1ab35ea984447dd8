// The actions of a bot as its owner makes them: from a template to a run, with a real server to call.
import { expect, test } from 'vitest'
import { json, orderStatus, startOwnerServer } from '../../server/test/actions/action-bot.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks } from '../src/four-looks.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }
const ACTIONS = '/api/manage/v1/bots/{botId}/actions'
const looks: Looks = new Set()

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

/** A new bot on the screen of its actions, with those given. */
async function openActions(actions: object[] = [], options: Parameters<typeof file.open>[0] = {}) {
  const { call, baseUrl } = file.running()
  const token = ADMIN_TOKEN
  const bot = await call('POST /api/manage/v1/bots', { token, body: { name: 'Bicycle shop' } })
  const params = { botId: bot.body.id as string }
  const ids: string[] = []
  for (const body of actions) ids.push((await call(`POST ${ACTIONS}`, { token, params, body })).body.id)
  const tab = await file.open({ reducedMotion: 'reduce', ...options })
  const violations: string[] = []
  await tab.page.goto(`${baseUrl}/bots/${params.botId}/actions`)
  return {
    ...tab,
    params,
    ids,
    violations,
    token,
    call,
    look: async (state: string) => violations.push(...(await fourLooks(tab.page, looks, state))),
    read: async (actionId: string) =>
      (await call(`GET ${ACTIONS}/{actionId}`, { token, params: { ...params, actionId } })).body,
  }
}

test('order status is made from the template, tested, given an answer, published and logged', async () => {
  const owner = await startOwnerServer()
  owner.respond = json({ status: 'on its way', carrier: { name: 'Velo Post', days: [2, 3] }, 'not a path': 1 })
  const { page, problems, violations, look } = await openActions()
  await page.getByRole('heading', { name: 'Let your bot get things done' }).waitFor()
  await look('no actions')

  await page.getByRole('button', { name: 'New action' }).click()
  const dialog = page.getByRole('dialog')
  // Pasted from the address bar, with the number of one order.
  await dialog.getByLabel('URL').fill(`${owner.url}/orders/10421`)
  await dialog.getByRole('button', { name: 'Create action' }).click()
  await dialog.getByText('Otherwise everybody gets the same order.').waitFor()
  await dialog.getByLabel('URL').fill(`${owner.url}/orders/{{order_number}}`)
  await look('a new action')
  await dialog.getByRole('button', { name: 'Create action' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order status' }).waitFor()
  await page.getByText('Run a test below, check the answer, then publish.').waitFor()
  await look('a draft')
  const address = page.getByRole('textbox', { name: 'URL' })
  await address.fill(`${owner.url}/orders/10421`)
  await page.getByText('“Order number” is asked for, but not sent').waitFor()
  await look('an input that is not sent')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => address.inputValue()).toBe(`${owner.url}/orders/{{order_number}}`)

  const card = (name: string) => page.getByRole('region', { name, exact: true })
  await card('Test').getByLabel('Order number').fill('12345')
  await card('Test').getByRole('button', { name: 'Run test' }).click()
  await card('Test').getByText('HTTP 200').waitFor()
  expect(owner.received[0]).toMatchObject({ method: 'GET', path: '/orders/12345' })
  await expect.poll(() => card('Preview').innerText()).toContain('Your order 12345 is on its way.')
  await look('a tested draft')

  const template = card('Answer').getByRole('textbox', { name: 'Answer' })
  await template.fill('Carrier: ')
  await card('Test').getByRole('button', { name: 'name: "Velo Post", Insert {{response.carrier.name}}' }).click()
  await expect.poll(() => template.inputValue()).toBe('Carrier: {{response.carrier.name}}')
  await expect.poll(() => card('Preview').innerText()).toContain('Carrier: Velo Post')
  await card('Answer').getByRole('button', { name: 'Insert {{order_number}}' }).click()
  await expect.poll(() => template.inputValue()).toBe('Carrier: {{response.carrier.name}}{{order_number}}')
  expect(await page.getByRole('button', { name: /not a path/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Published. Your bot uses it from now on.').waitFor()
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  const firstRun = page.getByRole('list', { name: 'Log' }).getByRole('listitem')
  await expect.poll(() => firstRun.innerText()).toMatch(/HTTP 200[\s\S]*order_number: 12345[\s\S]*Test[\s\S]*Completed/)
  await look('the log')
  await page.getByRole('link', { name: 'Actions' }).first().click()
  const row = page.getByRole('list', { name: 'Actions' }).getByRole('listitem')
  await expect.poll(() => row.innerText()).toMatch(/GET 127\.0\.0\.1:\d+\s*(·\s*)?0 runs in 7 days[\s\S]*Live/)
  await look('the list')
  expect([...violations, ...problems]).toEqual([])
})

test('credentials are set, replaced and removed, and never shown', async () => {
  const owner = await startOwnerServer()
  const { page, problems, ids, read, violations, look } = await openActions([orderStatus(owner)])
  await page.getByRole('link', { name: 'Order status' }).click()
  const card = page.getByRole('region', { name: 'Authentication' })
  await card.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'API key in a header' }).click()
  await card.getByLabel('Header').fill('X-Api-Key')
  await card.getByRole('textbox', { name: 'Value' }).fill('sk-CANARY')
  await look('credentials')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await card.getByText('API key in a header (X-Api-Key)').waitFor()
  await look('credentials that are set')
  expect(await read(ids[0] ?? '')).toMatchObject({ auth: { type: 'header', name: 'X-Api-Key', is_set: true } })
  expect(await page.content()).not.toContain('CANARY')
  await page.getByLabel('Order number', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('HTTP 200').waitFor()
  expect(owner.received[0]?.headers['x-api-key']).toBe('sk-CANARY')

  await page.getByRole('textbox', { name: 'URL' }).fill('https://another.example/{{order_number}}')
  await card.getByText('Credentials missing').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await read(ids[0] ?? '')).auth).toBe(null)
  expect([...violations, ...problems]).toEqual([])
})

test('a validation error is shown at its field, in German', async () => {
  const owner = await startOwnerServer()
  const { page, violations, look } = await openActions([orderStatus(owner)], { locale: 'de-AT' })
  await page.getByRole('link', { name: 'Order status' }).click()
  await page.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/{{nummer}}')
  await page.getByLabel(/^Muster/).fill('(')
  await page.getByRole('button', { name: 'Eingabe hinzufügen' }).click()
  const newInput = page.getByRole('list', { name: 'Eingaben' }).getByRole('listitem').last()
  await newInput.getByLabel('Bezeichnung').fill('Größe')
  await expect.poll(() => newInput.getByLabel('Name').inputValue()).toBe('grosse')
  await newInput.getByRole('combobox', { name: 'Art' }).click()
  await page.getByRole('option', { name: 'Auswahl' }).click()
  await newInput.getByLabel('Auswahl').fill('klein')
  await page.getByRole('button', { name: 'Speichern', exact: true }).click()
  await page.getByText('{{nummer}} ist keine Eingabe.').waitFor()
  await page.getByText('Das Muster ist kein gültiger regulärer Ausdruck.').waitFor()
  await newInput.getByText('Geben Sie mindestens zwei Möglichkeiten an.').waitFor()
  await look('problems')
  expect(await page.getByRole('alert').count()).toBe(0)
  await expect.poll(() => page.getByLabel(/^Muster/).evaluate((field) => field === document.activeElement)).toBe(true)
  expect(violations).toEqual([])
})

test('a request says who asks, for verified visitors only', async () => {
  const owner = await startOwnerServer()
  const { page, problems, ids, read, violations, look } = await openActions([orderStatus(owner, { state: 'draft' })])
  await page.getByRole('link', { name: 'Order status' }).click()
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  const url = card('Request').getByRole('textbox', { name: 'URL' })
  await url.fill(`${owner.url}/orders/{{order_number}}?of=`)
  await card('Request').getByRole('button', { name: 'Insert {{visitor.user_id}}' }).click()
  await expect.poll(() => url.inputValue()).toMatch(/\?of=\{\{visitor\.user_id\}\}$/)
  await card('Test').getByLabel('Order number').fill('12345')
  await card('Test').getByLabel('Visitor’s user ID').fill('u-17')
  await card('Test').getByRole('button', { name: 'Save and test' }).click()
  await card('Test').getByText('HTTP 200').waitFor()
  expect(owner.received[0]?.path).toBe('/orders/12345?of=u-17')
  await look('a request that says who asks')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Choose “Verified visitors only”').waitFor()
  await look('an action that needs verified visitors')
  await card('Access').getByRole('combobox', { name: 'Who may use it' }).click()
  await page.getByRole('option', { name: 'Verified visitors only' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Published. Your bot uses it from now on.').waitFor()
  expect(await read(ids[0] ?? '')).toMatchObject({ state: 'live', audience: 'verified' })
  expect(violations).toEqual([])
  expect(problems.filter((each) => !/status of 400/.test(each))).toEqual([])
})

test('a failed run says why, and a deleted action is gone', async () => {
  const owner = await startOwnerServer()
  owner.respond = json({ error: 'no' }, 404)
  const { page, problems, violations, look } = await openActions([orderStatus(owner)])
  await page.getByRole('link', { name: 'Order status' }).click()
  await page.getByLabel('Order number', { exact: true }).fill('abc')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('This is not a valid string.').waitFor()
  await page.getByLabel('Order number', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('Your system answered with an error status.').waitFor()
  await look('a failed test')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByText('its log').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'Let your bot get things done' }).waitFor()
  // The browser reports the refused value, and may report that the page, still open, asks for what is gone.
  expect(problems.filter((each) => !/status of 40[04]/.test(each))).toEqual([])
  expect(violations).toEqual([])
})

test('a callback needs no URL and saves no lead in a test', async () => {
  const { page, problems, violations, look } = await openActions()
  await page.getByRole('button', { name: 'New action' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Start with' }).click()
  await page.getByRole('option', { name: 'Book a callback' }).click()
  expect(await dialog.getByLabel('URL').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Create action' }).click()
  await page.getByRole('heading', { level: 1, name: 'Book a callback' }).waitFor()
  const card = page.getByRole('region', { name: 'Test', exact: true })
  await card.getByLabel('Your name').fill('Ada')
  await card.getByLabel('Phone number').fill('+43 1 234-567')
  await expect
    .poll(() => page.getByRole('region', { name: 'Preview' }).innerText())
    .toContain('Thank you, Ada. We will call you at +43 1 234-567.')
  await look('a callback')
  expect([...violations, ...problems]).toEqual([])
})
