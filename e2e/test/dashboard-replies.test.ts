// What helps an agent to reply: suggestions, and drafts of a language model.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startServer } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { openAi, startEvents, startFakeProvider } from '../../server/test/language-model/fake-provider.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks, PHONE, WIDE } from '../src/four-looks.ts'
import type { Looks } from '../src/looks.ts'
import { addShop } from '../src/shop-bot.ts'
import { wholeFile } from '../src/whole-file.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const ONE = `${BOT}/conversations/{conversationId}`
const looks: Looks = new Set()

const file = wholeFile(async (onEnd) => {
  const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }
  const server = await startServer('sqlite', { environment, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

/** A shop whose agents have answered a question before, and a visitor who asks it again and wants a person. */
async function openShop(settings: object = {}) {
  const shop = await addShop(file.running(), { settings })
  const ask = async (...messages: string[]) => {
    const visitor = createVisitor(shop.call, shop.botId)
    for (const message of messages) await visitor.say(message)
    const { items } = await shop.manage(`GET ${BOT}/conversations`)
    return items[0].id as string
  }
  const earlier = await ask('My return label is missing, can you send a new return label?')
  const params = { conversationId: earlier }
  await shop.manage(`POST ${ONE}/messages`, { params, body: { text: 'I have just sent you a new label by email.' } })
  await shop.manage(`PATCH ${ONE}`, { params, body: { status: 'resolved' } })
  await shop.manage('POST /api/manage/v1/workspaces/{workspaceId}/canned-replies', {
    params: { workspaceId: shop.workspaceId },
    body: { shortcut: 'return-label', text: 'Hello {{visitor.name}}, the return label is in the parcel.' },
  })
  const conversationId = await ask(
    'Hello',
    'Where do I send a return? The return label is missing.',
    'I want to talk to a human, please',
  )
  return { ...shop, conversationId, ask }
}

async function openConversation(shop: Awaited<ReturnType<typeof openShop>>, options: BrowserContextOptions = {}) {
  const tab = await file.open({ viewport: WIDE, ...options })
  await tab.page.goto(`${shop.baseUrl}/bots/${shop.botId}/inbox/${shop.conversationId}`)
  return tab
}

const suggestions = (page: Page) => page.getByRole('region', { name: 'Suggestions' })
const composer = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ })

test('the answer of the bot, an earlier reply and a canned reply are offered, and one key inserts one', async () => {
  const shop = await openShop()
  const { page, problems } = await openConversation(shop)
  await suggestions(page).getByText('Where do I send a return?').waitFor()
  await suggestions(page)
    .getByRole('button', { name: /warehouse in Linz/ })
    .waitFor()
  await suggestions(page).getByRole('link', { name: 'Returns' }).waitFor()
  await suggestions(page)
    .getByRole('link', { name: /replied to “My return label is missing/ })
    .waitFor()
  await suggestions(page).getByText('/return-label').waitFor()
  expect(await fourLooks(page, looks, 'suggested replies')).toEqual([])

  await page.keyboard.press('1')
  await expect.poll(() => composer(page).inputValue()).toContain('warehouse in Linz')
  await expect.poll(() => composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
  // A digit in the text is a digit.
  await page.keyboard.press('2')
  await expect.poll(() => composer(page).inputValue()).toMatch(/Linz\.2$/)
  await composer(page).fill('')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await suggestions(page)
    .getByRole('button', { name: /new label by email/ })
    .click()
  await expect.poll(() => composer(page).inputValue()).toBe('I have just sent you a new label by email.')
  await composer(page).press('Enter')
  await page.getByRole('log').getByText('new label by email').waitFor()
  // Answered: nothing is left to suggest.
  await suggestions(page).waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
})

test('a question that the bot could not answer gets suggestions too, and one that it answered does not', async () => {
  const shop = await openShop()
  const conversationId = await shop.ask('Who will paint the missing return label of my llama?')
  const { page, problems } = await openConversation({ ...shop, conversationId })
  await page.getByRole('log').getByText('llama').first().waitFor()
  await suggestions(page).getByText('llama').waitFor()
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/inbox/${await shop.ask('Where do I send a return?')}`)
  await page.getByRole('log').getByText('warehouse in Linz').first().waitFor()
  expect(await suggestions(page).count()).toBe(0)
  expect(problems).toEqual([])
})

test('suggestions can be shown and hidden, and stay so', async () => {
  const shop = await openShop()
  const { page, problems } = await openConversation(shop, { viewport: PHONE })
  const head = suggestions(page).getByRole('button', { name: /^Suggestions/ })
  // A phone has no room for them unasked.
  await head.waitFor()
  expect(await head.getAttribute('aria-expanded')).toBe('false')
  await head.click()
  await suggestions(page).getByText('/return-label').waitFor()
  await page.reload()
  await suggestions(page).getByText('/return-label').waitFor()
  await head.click()
  await suggestions(page).getByText('/return-label').waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
})

test('a language model drafts, rewrites, translates, and sums up on take-over; the visitor sees none of it', async () => {
  const provider = await startFakeProvider((response, { raw }) => {
    startEvents(response)
    const text = raw.includes('You sum up')
      ? 'The visitor needs a return label.'
      : raw.includes('Rewrite')
        ? 'A warm text.'
        : raw.includes('Translate')
          ? 'Ein Text.'
          : 'Send it to Linz.'
    response.end(openAi.delta(text) + openAi.finish() + openAi.usage(100, 20) + openAi.done)
  })
  const language_model = { provider: 'openai_compatible', base_url: provider.url, model: 'test-model' }
  const shop = await openShop({ language_model })
  const { page, problems } = await openConversation(shop)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Write with the language model' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const holds = (text: string) => expect.poll(() => composer(page).inputValue()).toBe(text)
  await choose('Draft a reply')
  await holds('Send it to Linz.')
  await choose('Make it friendlier')
  await holds('A warm text.')
  await choose('Translate into English')
  await holds('Ein Text.')
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByRole('region', { name: 'Summary' }).getByText('needs a return label').waitFor()
  expect(await fourLooks(page, looks, 'a summary')).toEqual([])
  await page.getByRole('button', { name: 'Close the summary' }).click()
  await page.getByRole('region', { name: 'Summary' }).waitFor({ state: 'hidden' })
  const { messages } = await shop.manage(`GET ${ONE}`, { params: { conversationId: shop.conversationId } })
  expect(messages.filter(({ role }: { role: string }) => role === 'agent')).toEqual([])
  expect(problems).toEqual([])
})

test('a reply is added to the knowledge from the inbox, and a proposed one is reviewed under the curated answers', async () => {
  const shop = await openShop()
  const { conversationId } = shop
  const reply = (text: string) => shop.manage(`POST ${ONE}/messages`, { params: { conversationId }, body: { text } })
  await reply('Send it to Linz; the label is on our site.')
  const { page, problems } = await openConversation(shop)
  await page.getByRole('button', { name: 'Add to knowledge' }).click()
  const dialog = page.getByRole('dialog')
  await expect
    .poll(() => dialog.getByLabel('Question').inputValue())
    .toBe('Where do I send a return? The return label is missing.')
  expect(await fourLooks(page, looks, 'a reply becomes an answer')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add to knowledge' }).click()
  await dialog.getByRole('button', { name: 'Approve answer' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByRole('button', { name: 'Approved' }).isDisabled()).toBe(true)
  const read = async () => (await shop.manage(`GET ${BOT}/answers`)).items
  expect(await read()).toMatchObject([{ answer: 'Send it to Linz; the label is on our site.' }])

  const second = await reply('We are open until six.')
  const body = { conversation_id: conversationId, message_id: second.id }
  await shop.manage(`POST ${BOT}/answer-proposals`, { body })
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/knowledge/answers`)
  await page.getByRole('heading', { name: '1 answer is proposed' }).waitFor()
  expect(await fourLooks(page, looks, 'proposed answers')).toEqual([])
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('heading', { name: '1 answer is proposed' }).waitFor({ state: 'hidden' })
  expect(await read()).toHaveLength(1)
  expect(problems).toEqual([])
})
