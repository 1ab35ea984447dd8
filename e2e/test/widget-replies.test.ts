// Replies in the widget beside plain answers: on their way, to angry visitors, and where their sources lead.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { crawlCalls, startSite, waitForCrawl } from '../../server/test/harness/external/test-site.ts'
import { pdfOf } from '../../server/test/harness/samples/sample-files.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { expectInOneAttempt } from '../../server/test/harness/timing.ts'
import { pause } from '../../server/test/harness/wait.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { addShop } from '../src/shop-bot.ts'
import { wholeFile } from '../src/whole-file.ts'
import { arrive } from '../src/widget-page.ts'

const file = wholeFile(async (onEnd) => {
  const environment = { BASE_URL: 'http://127.0.0.1', ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
  const server = await startServer('sqlite', { environment, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

const ANSWER_MS = 3000

test('shows within 200 ms that it is working, until an answer that takes three seconds arrives', async () => {
  await expectInOneAttempt(async () => {
    const shop = await addShop(file.running())
    const { page, inWidget, composer, open, answers } = await arrive(file.browser(), shop)
    const heldAnswer = Promise.withResolvers<void>()
    await page.route('**/message', async (route) => {
      await heldAnswer.promise
      await route.continue()
    })
    await open()
    await composer.fill('How long does delivery take?')
    const shownAfterMs = await timeToDots(page)
    expect(shownAfterMs).toBeLessThan(200)
    await pause(ANSWER_MS)
    expect(await inWidget('.dots').isVisible()).toBe(true)
    heldAnswer.resolve()
    await answers(1)
    expect(await inWidget('.dots').count()).toBe(0)
  })
})

/** Measured in the page, from the key that sends the message to the first frame with the dots. */
function timeToDots(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const root = document.querySelector('docent-chat')?.shadowRoot
    const textarea = root?.querySelector('.composer textarea')
    const startMs = performance.now()
    textarea?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    while (!root?.querySelector('.dots')?.checkVisibility()) await new Promise(requestAnimationFrame)
    return performance.now() - startMs
  })
}

test('an angry visitor gets a button to a person, and neither thumbs nor a missing answer', async () => {
  const shop = await addShop(file.running())
  const { inWidget, say, answers, open, answer } = await arrive(file.browser(), shop)
  await open()
  await say('You are useless!')
  await answers(1)
  await answer().getByRole('button', { name: 'Talk to a person' }).waitFor()
  expect(await answer().locator('.rating').count()).toBe(0)
  expect(await answer().innerText()).not.toContain('could not find')
  await say('are you still there?')
  await answers(2)
  expect(await answer().locator('.rating').count()).toBe(0)
  await say('How long does standard delivery take?')
  await answers(3)
  await expect.poll(() => inWidget('.rating').count()).toBe(1)
})

const filler = '<p>Nothing of importance is said here.</p>'.repeat(80)
const helpPage = `<!doctype html><title>Bicycle help</title><main><h1>Bicycle help</h1>${filler}
  <h2 id="brakes">Brakes</h2><p>Squeaking brakes are cleaned with alcohol and sandpaper.</p>${filler}</main>`
const manual = pdfOf([
  [
    { text: 'Assembly', size: 20 },
    { text: 'The saddle is mounted with a spanner of thirteen millimetres.', size: 11, gap: 10 },
  ],
  [
    { text: 'Lubrication', size: 20 },
    { text: 'The chain is oiled every two hundred kilometres with thin oil.', size: 11, gap: 10 },
  ],
])
const notes =
  '# Notes\n\nGeneral words.\n\n## Storage in winter\n\nBatteries are stored at fifteen degrees and half charged.'

test('a source opens the cited section: of a crawled page, of a PDF on a site, of an uploaded file', async () => {
  const server = file.running()
  const shop = await addShop(server)
  const site = await startSite({
    '/': helpPage.replace('</main>', '<a href="/manual.pdf">Manual</a></main>'),
    '/manual.pdf': { headers: { 'content-type': 'application/pdf' }, body: manual as never },
  })
  const crawls = crawlCalls(server.call, shop.botId)
  const { body } = await crawls.create({ url: `${site.url}/`, max_pages: 5 })
  await waitForCrawl(crawls, body.id, { clock: server.clock })
  const form = new FormData()
  form.append('file', new Blob([notes]), 'notes.md')
  form.append(
    'file',
    new Blob([
      pdfOf([
        [
          { text: 'Tyres', size: 20 },
          { text: 'Tyres are pumped up to four bar on gravel.', size: 11, gap: 10 },
        ],
      ]) as never,
    ]),
    'tyres.pdf',
  )
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  await fetch(`${server.baseUrl}/api/manage/v1/bots/${shop.botId}/files`, { method: 'POST', headers, body: form })

  const { page, context, say, answers, answer, open } = await arrive(file.browser(), shop)
  await open()
  let count = 0
  const sourceOf = async (question: string) => {
    await say(question)
    await answers(++count)
    return answer().locator('.sources a').first()
  }
  const [sourceTab] = await Promise.all([
    context.waitForEvent('page'),
    (await sourceOf('How are squeaking brakes cleaned?')).click(),
  ])
  expect(sourceTab.url()).toBe(`${site.url}/#brakes`)
  const place = () => sourceTab.locator('#brakes').evaluate((node) => Math.round(node.getBoundingClientRect().top))
  await expect.poll(place).toBeLessThan(200)

  expect(await (await sourceOf('How often is the chain oiled?')).getAttribute('href')).toBe(
    `${site.url}/manual.pdf#page=2`,
  )

  // The test's base URL has no port, the server has.
  const read = async (question: string) => {
    const { pathname, hash } = new URL((await (await sourceOf(question)).getAttribute('href')) ?? '')
    const guidePage = await context.newPage()
    await guidePage.goto(server.baseUrl + pathname + hash)
    await guidePage.locator('#text p, #text ul').first().waitFor()
    return guidePage.locator('main').innerText()
  }
  const storage = await read('At how many degrees are batteries stored?')
  expect(storage).toContain('Storage in winter')
  expect(storage).toContain('fifteen degrees')
  expect(storage).not.toContain('General words')
  expect(await read('How many bar are tyres pumped up to on gravel?')).toContain('four bar')
  await page.close()
})
