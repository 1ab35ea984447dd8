// Buttons and questions, from the owner's screen to the visitor's phone and the agent's inbox.
import { expect, test } from 'vitest'
import { orderStatus, startOwnerServer } from '../../server/test/actions/action-bot.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks, PHONE } from '../src/four-looks.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'
import { arrive, violationsOf } from '../src/widget-page.ts'

const token = ADMIN_TOKEN
const BOT = '/api/manage/v1/bots/{botId}'
const looks: Looks = new Set()

const file = wholeFile(async (onEnd) => {
  const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }
  const server = await startServer('sqlite', { environment, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

test('buttons and questions that the owner adds lead a visitor to an action and to an agent who knows the answers', async () => {
  const { call, baseUrl } = file.running()
  const owner = await startOwnerServer()
  const response = await call('POST /api/manage/v1/bots', {
    token,
    body: { name: 'Bicycle shop', widget: { suggested_questions: ['Do you ship?'] } },
  })
  const botId = response.body.id as string
  await call(`POST ${BOT}/actions`, { token, params: { botId }, body: orderStatus(owner) })
  const { page, problems } = await file.open({ reducedMotion: 'reduce' })
  const violations: string[] = []

  await page.goto(`${baseUrl}/bots/${botId}/settings/flows`)
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  const greeting = card('With the greeting')
  async function addButton(label: string, effect: string) {
    await greeting.getByRole('button', { name: 'Add button' }).click()
    const button = greeting.getByRole('listitem').last()
    await button.getByLabel('Button text').fill(label)
    await button.getByRole('combobox', { name: 'What it does' }).click()
    await page.getByRole('option', { name: effect }).click()
    return button
  }
  const tracking = await addButton('Track my parcel', 'Starts an action')
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await tracking.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Order status' }).click()
  const map = await addButton('Our shops', 'Opens a page')
  await map.getByLabel('Address').fill('shop.test/shops')
  await addButton('Talk to us', 'Requests an agent')
  await greeting.getByRole('button', { name: 'Move “Talk to us” up' }).click()
  const before = card('Before the handover')
  await before.getByRole('button', { name: 'Add question' }).click()
  await before.getByRole('textbox', { name: 'Question' }).fill('What is it about?')
  await before.getByLabel('Short name').fill('Topic')
  await before.getByRole('combobox', { name: 'Answer' }).click()
  await page.getByRole('option', { name: 'Choice' }).click()
  await before.getByLabel('Choices').fill('A repair\nAn order')
  violations.push(...(await fourLooks(page, looks, 'flows')))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()

  const visitor = await arrive(file.browser(), { baseUrl, botId }, { viewport: PHONE, locale: 'en-GB' })
  await visitor.open()
  const buttons = visitor.inWidget('.buttons .pill')
  await buttons.first().waitFor()
  expect(await buttons.allInnerTexts()).toEqual(['Do you ship?', 'Track my parcel', 'Talk to us', 'Our shops'])
  expect(await buttons.last().getAttribute('href')).toBe('https://shop.test/shops')
  expect(await violationsOf(visitor.page)).toEqual([])
  await buttons.getByText('Track my parcel').click()
  await visitor.answer().getByText('What is your order number?').waitFor()
  await visitor.say('12345')
  await visitor.answer().getByText('Order 12345 is shipped.').waitFor()
  await visitor.inWidget('[aria-label="Talk to a person"]').first().click()
  await visitor.answer().getByText('What is it about?').waitFor()
  expect(await visitor.answer().locator('.pill').allInnerTexts()).toEqual([
    ...['A repair', 'An order', 'Connect me now', 'Cancel'],
  ])
  expect(await violationsOf(visitor.page)).toEqual([])
  await visitor.answer().getByText('A repair').click()
  await visitor.inWidget('.bar.requested').waitFor()
  expect(visitor.problems).toEqual([])

  const { items } = (await call(`GET ${BOT}/conversations`, { token, params: { botId } })).body
  await page.goto(`${baseUrl}/bots/${botId}/inbox/${items[0].id}`)
  await page.getByRole('region', { name: 'Notes' }).getByText('Topic: A repair').waitFor()
  expect([...violations, ...problems]).toEqual([])
})
