// The knowledge studio as an editor uses it: a document as its readers see it, and what is done with its passages.
import { expect, test } from 'vitest'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks } from '../src/four-looks.ts'
import type { Looks } from '../src/looks.ts'
import { wholeFile } from '../src/whole-file.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const token = ADMIN_TOKEN
const looks: Looks = new Set()

const html = (price: string) => `<h1>Delivery</h1>
<p>We deliver lamps within the country. A parcel takes two to three working days.</p>
<p>You can follow it with the number in our email.</p>
<h2>Express</h2>
<p>An express parcel arrives on the next morning and costs ${price}.</p>
<h2>Prices</h2>
<table><tr><th>Country</th><th>Standard</th></tr><tr><td>Germany</td><td>3.90 €</td></tr><tr><td>Norway</td><td>9.90 €</td></tr></table>
<h2>Returns</h2>
<p>How to send a lamp back:</p>
<ol><li>Put the label on the parcel.</li><li>Bring it to a shop near you.</li></ol>`

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

/** A new bot with one page, which visitors have asked about, on the screen of that page. */
async function openDocument(options: Parameters<typeof file.open>[0] = {}) {
  const { call, baseUrl } = file.running()
  const bot = await call('POST /api/manage/v1/bots', { token, body: { name: 'Lamp shop' } })
  const params = { botId: bot.body.id as string }
  const publish = async (price: string) => {
    const page = { id: 'delivery', title: 'Delivery', url: 'https://lamps.example/delivery', html: html(price) }
    await call(`POST ${BOT}/documents`, { token, params, body: { documents: [page] } })
  }
  await publish('12 euros')
  for (const [question, rating] of [
    ['How much is express delivery?', 'up'],
    ['What does an express parcel cost?', 'down'],
    ['How long does a parcel take?', null],
  ]) {
    const visitor = createVisitor(call, params.botId)
    const { body } = await visitor.say(question ?? '')
    if (rating) await visitor.post('feedback', { message_id: body.message_id, rating })
  }
  const tab = await file.open({ reducedMotion: 'reduce', ...options })
  const violations: string[] = []
  await tab.page.goto(`${baseUrl}/bots/${params.botId}/knowledge/documents/delivery`)
  return {
    ...tab,
    params,
    violations,
    publish,
    look: async (state: string) => violations.push(...(await fourLooks(tab.page, looks, state))),
    passage: (name: string) => tab.page.getByRole('article', { name, exact: true }),
    answer: async (message: string) =>
      (await call(`POST ${BOT}/try`, { token, params, body: { message } })).body.response as string,
  }
}

test('a passage is corrected, the page changes, and the difference is decided on', async () => {
  const { page, passage, violations, problems, look, publish, answer } = await openDocument()
  const express = passage('Express')
  await expect.poll(() => express.innerText()).toContain('Cited 2 times')
  await expect.poll(() => express.getByText('1 rated helpful').count()).toBe(1)
  await expect.poll(() => express.getByRole('link', { name: 'What does an express parcel cost?' }).count()).toBe(1)
  const text = await page.getByRole('main').innerText()
  expect(text).not.toContain('<')
  await expect.poll(() => passage('Returns').getByRole('listitem').count()).toBe(2)
  await look('a document')

  await express.getByRole('button', { name: 'Correct' }).click()
  const field = express.getByRole('textbox', { name: 'Correct' })
  await field.fill('An express parcel costs 15 euros.')
  await look('a correction')
  await express.getByRole('button', { name: 'Save correction' }).click()
  await express.getByText('Corrected', { exact: true }).waitFor()
  expect(await answer('What does an express parcel cost?')).toContain('15 euros')

  await publish('14 euros')
  await page.reload()
  await express.getByText('The page has changed since you corrected this').waitFor()
  await expect.poll(() => express.locator('del').first().innerText()).toContain('12')
  await expect.poll(() => express.locator('ins').first().innerText()).toContain('14')
  await look('a changed page')
  await express.getByRole('button', { name: 'Keep my correction' }).click()
  await express.getByText('The page has changed').waitFor({ state: 'hidden' })
  await express.getByText('Compare with the page').click()
  await look('a comparison')
  expect(await answer('What does an express parcel cost?')).toContain('15 euros')
  await express.getByRole('button', { name: 'Actions: Express' }).click()
  await page.getByRole('menuitem', { name: 'Use the page’s text' }).click()
  await expect.poll(() => express.innerText()).toContain('14 euros')
  expect([...violations, ...problems]).toEqual([])
})

test('a passage is excluded, found by a phrasing, and answered by hand', async () => {
  const { page, passage, violations, problems, look, answer } = await openDocument()
  const express = passage('Express')
  const choose = async (name: string, item: string) => {
    await page.getByRole('button', { name: `Actions: ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Express', 'Exclude from answers')
  await express.getByText('Excluded', { exact: true }).waitFor()
  await look('an excluded passage')
  expect(await answer('What does an express parcel cost?')).not.toContain('12 euros')
  await express.getByRole('button', { name: 'Use in answers again' }).click()
  await express.getByText('Excluded', { exact: true }).waitFor({ state: 'hidden' })

  await choose('Express', 'Add phrasings')
  await express.getByRole('textbox', { name: 'Other ways to ask about this' }).fill('Do you offer overnight shipment?')
  await look('phrasings')
  await express.getByRole('button', { name: 'Save phrasings' }).click()
  await express.getByRole('listitem').filter({ hasText: 'Do you offer overnight shipment?' }).waitFor()
  expect(await answer('Do you offer overnight shipment?')).toContain('next morning')

  await choose('Express', 'Write a curated answer')
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel('Question').inputValue()).toBe('What does an express parcel cost?')
  await dialog.getByLabel('Answer').fill('Twelve euros, at your door the next morning.')
  await dialog.getByRole('button', { name: 'Add answer' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await answer('What does an express parcel cost?')).toBe('Twelve euros, at your door the next morning.')
  expect([...violations, ...problems]).toEqual([])
})

test('the document is shown in German, with its own language', async () => {
  const { page, passage, problems } = await openDocument({ locale: 'de-DE' })
  await expect.poll(() => passage('Express').innerText()).toContain('2-mal zitiert')
  await page.getByRole('button', { name: 'Korrigieren' }).first().click()
  await page.getByText('Korrektur speichern').waitFor()
  expect(problems).toEqual([])
})

test('the search over documents finds passages as the bot does, and leads to them', async () => {
  const { page, passage, violations, problems, look } = await openDocument()
  await page.getByRole('link', { name: 'Documents' }).first().click()
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: 'Search' }))
    .first()
    .fill('price of express')
  const results = page.getByRole('region', { name: 'In the text' })
  await results.getByRole('link', { name: 'Delivery › Express' }).waitFor()
  await look('passages found')
  await results.getByRole('link', { name: 'Delivery › Express' }).click()
  await expect.poll(() => passage('Express').evaluate((one) => one === document.activeElement)).toBe(true)
  expect([...violations, ...problems]).toEqual([])
})

test('a test question is saved from the playground, gets worse with the page, and shows the reply before and after', async () => {
  const { page, params, violations, problems, look, publish } = await openDocument()
  const { baseUrl, call } = file.running()
  const bot = `${baseUrl}/bots/${params.botId}`
  await page.goto(`${bot}/playground`)
  await page.getByRole('textbox').fill('What does an express parcel cost?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('button', { name: 'Add test question' }).click()
  await page.getByText('Added to the test questions.').first().waitFor()

  await page.goto(`${bot}/knowledge/tests`)
  await page.getByText('What does an express parcel cost?').click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel(/must cite/).inputValue()).toBe('https://lamps.example/delivery')
  await dialog.getByLabel(/must contain/).fill('12 euros')
  await look('a test question')
  await dialog.getByRole('button', { name: 'Save test question' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('heading', { name: 'The question passed' }).waitFor()
  await look('a run that passed')

  await publish('14 euros')
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('heading', { name: '1 of 1 got worse' }).waitFor()
  await expect.poll(() => page.locator('del').first().innerText()).toContain('12')
  await expect.poll(() => page.locator('ins').first().innerText()).toContain('14')
  await page.getByRole('cell', { name: 'Worse' }).waitFor()
  await look('a question that got worse')

  await page.getByRole('switch', { name: 'Run after every content change' }).click()
  const isAutomatic = async () =>
    (await call(`GET ${BOT}/test-runs`, { token, params })).body.run_automatically as boolean
  await expect.poll(isAutomatic).toBe(false)
  expect([...violations, ...problems]).toEqual([])

  // The runs stay on the screen when they cannot be loaded again.
  const isRuns = /\/test-runs$/
  await page.route(isRuns, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 404, json: {} }) : route.fallback(),
  )
  for (const _ of [1, 2]) {
    const notFoundResponse = page.waitForResponse(
      (response) => isRuns.test(response.url()) && response.status() === 404,
    )
    await page.getByRole('switch', { name: 'Run after every content change' }).click()
    await notFoundResponse
  }
  await expect.poll(() => page.getByRole('heading', { name: '1 of 1 got worse' }).count()).toBe(1)
})

test('a reply in the inbox becomes a test question with one click, and leads to its passage', async () => {
  const { page, params, passage, look, violations, problems } = await openDocument()
  const { baseUrl, call } = file.running()
  await page.goto(`${baseUrl}/bots/${params.botId}/inbox`)
  await page.getByText('How long does a parcel take?').first().click()
  await page.getByRole('button', { name: 'Add test question' }).click()
  await page.getByRole('button', { name: 'Added to the test questions.' }).waitFor()
  const { body } = await call(`GET ${BOT}/test-questions`, { token, params })
  expect(body.items).toMatchObject([{ question: 'How long does a parcel take?', expected_source: expect.any(String) }])

  await page.getByRole('button', { name: 'Fix this answer' }).click()
  await page.getByRole('dialog', { name: 'Fix this answer' }).getByRole('textbox', { name: 'Question' }).waitFor()
  await look('an answer to fix')
  await page.getByRole('link', { name: 'Correct the passage in “Delivery”' }).click()
  const field = passage('Delivery').getByRole('textbox', { name: 'Correct' })
  expect(await field.inputValue()).toContain('two to three working days')
  await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true)
  expect([...violations, ...problems]).toEqual([])
})

test('duplicates are excluded where they are not needed, and old dates confirmed', async () => {
  const { page, violations, problems, look, params } = await openDocument()
  const { call, baseUrl } = file.running()
  const year = new Date(file.running().clock.now).getUTCFullYear()
  const copy = { id: 'copy', title: 'Delivery (old page)', html: html('11 euros') }
  const offer = { id: 'offer', title: `Summer offer ${year - 1}`, text: 'Every lamp is cheaper in this summer.' }
  await call(`POST ${BOT}/documents`, { token, params, body: { documents: [copy, offer] } })
  await page.goto(`${baseUrl}/bots/${params.botId}/knowledge/review`)
  const duplicates = page.getByRole('region', { name: /^Duplicates/ })
  await duplicates.getByRole('link', { name: 'Delivery (old page)' }).waitFor()
  const outdated = page.getByRole('region', { name: /^Possibly out of date/ })
  await outdated.getByText(`Mentions a past date: Summer offer ${year - 1}`).waitFor()
  await look('the review of content')
  await duplicates.getByRole('button', { name: 'Exclude here: Delivery (old page)' }).click()
  await duplicates.waitFor({ state: 'detached' })
  await outdated.getByRole('button', { name: `Still correct: Summer offer ${year - 1}` }).click()
  await page.getByText('Nothing to review').waitFor()
  expect([...violations, ...problems]).toEqual([])
})

test('what many documents share is excluded from all of them at once, or kept', async () => {
  const { page, problems, params } = await openDocument()
  const { call, baseUrl } = file.running()
  const share = (name: string, text: string) =>
    call(`POST ${BOT}/documents`, {
      token,
      params,
      body: {
        documents: Array.from({ length: 12 }, (_, at) => ({ id: `${name}-${at}`, title: `${name} ${at}`, text })),
      },
    })
  await share(
    'Cookies',
    'We use cookies to remember what is in your basket, and to count how many people visit our shop.',
  )
  await share(
    'Footer',
    'Our shop in the old town is open from Monday to Friday between nine and six, also during the holidays.',
  )
  await page.goto(`${baseUrl}/bots/${params.botId}/knowledge/review`)
  const item = (text: string) => page.getByRole('listitem').filter({ hasText: text }).filter({ hasText: 'and 2 more' })
  await item('We use cookies').getByRole('button', { name: 'Exclude from 12 documents' }).click()
  await item('We use cookies').waitFor({ state: 'detached' })
  await item('Our shop in the old town').getByRole('button', { name: 'Keep all' }).click()
  await page.getByText('Nothing to review').waitFor()
  expect(problems).toEqual([])
})

test('Ctrl+K finds a passage by its words, marks them, and goes to its place', async () => {
  const { page, violations, problems, look, params } = await openDocument()
  await page.goto(`${file.running().baseUrl}/bots/${params.botId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search everything' })
  await dialog.getByRole('combobox').fill('parcel morning')
  const passage = dialog.getByRole('option', { name: 'Delivery › Express' })
  await passage.waitFor()
  expect(await passage.locator('mark').allInnerTexts()).toEqual(['parcel', 'morning'])
  await look('the search for a passage')
  await dialog.getByRole('combobox').fill('express parcel cost')
  const conversation = dialog.getByRole('group', { name: 'Conversations' }).getByRole('option').first()
  await expect.poll(() => conversation.locator('time').count()).toBe(1)
  await dialog.getByRole('combobox').fill('parcel morning')
  // The same passage is among the results before, which are replaced under the pointer.
  await expect.poll(() => passage.locator('mark').allInnerTexts()).toEqual(['parcel', 'morning'])
  await passage.click()
  await page.waitForURL('**/knowledge/documents/delivery#psg_*')
  expect([...violations, ...problems]).toEqual([])
})
