// Pictures of a member and of the bot: uploaded in the dashboard, seen in the inbox and in the widget.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { joinWorkspace } from '../../server/test/harness/people.ts'
import { png, SECRET, segment, tiff } from '../../server/test/harness/samples/pictures.ts'
import { startServer } from '../../server/test/harness/start-server.ts'
import { ownerCookie } from '../src/dashboard.ts'
import { fourLooks, WIDE } from '../src/four-looks.ts'
import { serveHostPage, shopHtml } from '../src/host-page.ts'
import { addShop } from '../src/shop-bot.ts'
import { wholeFile } from '../src/whole-file.ts'
import { visitorOf } from '../src/widget-page.ts'

const BOT = '/api/manage/v1/bots/{botId}'

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  return { ...server, cookie: await ownerCookie(server) }
})

/** A photo of 40 × 20 pixels as phones take them: lying on its side, with its place. */
async function takePhoto(page: Page, type: 'image/jpeg' | 'image/webp'): Promise<Buffer> {
  const address = await page.evaluate((type) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 })
    canvas.getContext('2d')?.fillRect(0, 0, 20, 20)
    return canvas.toDataURL(type)
  }, type)
  const picture = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
  if (type === 'image/webp') return picture
  const exif = segment(0xe1, `Exif\0\0${tiff(6)}${SECRET}`)
  return Buffer.concat([picture.subarray(0, 2), exif, picture.subarray(2)])
}

/** Width and height as shown, once it is loaded. */
const shownSize = (image: Locator) =>
  expect.poll(() => image.evaluate((node: HTMLImageElement) => [node.naturalWidth, node.naturalHeight]))

test('a member and a bot get pictures, which visitors and the team see without what a photo tells', async () => {
  const shop = await addShop(file.running())
  const grace = await joinWorkspace(shop.call, shop.workspaceId, 'editor')
  const { page, problems } = await file.open({ viewport: WIDE, cookie: grace.cookie() })
  await page.goto(`${shop.baseUrl}/account`)
  const pictureField = page.getByRole('group', { name: 'Your picture' })
  await pictureField.getByText('PNG, JPEG or WebP, at most 200 kB').waitFor()
  const choose = (field: Locator, name: string, buffer: Buffer) =>
    field.locator('input').setInputFiles({ name, mimeType: 'image/jpeg', buffer })

  const problem = pictureField.getByRole('alert')
  await choose(pictureField, 'me.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await problem.filter({ hasText: 'Use a PNG, JPEG or WebP picture.' }).waitFor()
  await choose(pictureField, 'me.jpg', Buffer.concat([png([]), Buffer.alloc(210_000)]))
  await problem.filter({ hasText: 'Use a picture of at most 200 kB.' }).waitFor()
  await choose(pictureField, 'me.jpg', png([]).subarray(0, -4))
  await problem.filter({ hasText: 'The picture cannot be read.' }).waitFor()
  expect(await fourLooks(page, new Set(), 'a refused picture')).toEqual([])
  await choose(pictureField, 'me.jpg', await takePhoto(page, 'image/jpeg'))
  await problem.waitFor({ state: 'hidden' })
  await shownSize(pictureField.getByRole('presentation')).toEqual([20, 40])
  const pictureText = await pictureField.getByRole('presentation').evaluate(async ({ src }: HTMLImageElement) => {
    return (await fetch(src)).text()
  })
  expect(pictureText).not.toContain(SECRET)

  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/settings/appearance`)
  for (const name of ['Bot picture', 'Team picture']) {
    const field = page.getByRole('group', { name })
    await field.getByText('PNG, JPEG or WebP, at most 200 kB').waitFor()
    await choose(field, 'bot.webp', await takePhoto(page, 'image/webp'))
    await shownSize(field.getByRole('presentation')).toEqual([40, 20])
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()

  const { page: visitorPage } = await file.open({ cookie: '' })
  const visitor = visitorOf(visitorPage)
  await visitorPage.goto(await serveHostPage({ html: shopHtml(shop.baseUrl, shop.botId) }))
  await visitor.open()
  await shownSize(visitor.inWidget('.header img')).toEqual([40, 20])
  await visitor.say('How long does delivery take?')
  await visitor.answers(1)
  const { items } = await shop.manage(`GET ${BOT}/conversations`)
  await grace.call(`POST ${BOT}/conversations/{conversationId}/messages`, {
    params: { botId: shop.botId, conversationId: items[0].id },
    body: { text: 'Hello from Grace' },
  })
  await shownSize(visitor.inWidget('.entry.agent img')).toEqual([20, 40])
  await page.goto(`${shop.baseUrl}/bots/${shop.botId}/inbox/${items[0].id}`)
  await shownSize(page.locator('.message[data-role=agent] img.face')).toEqual([20, 40])
  // The refused files.
  expect(problems.filter((each) => !/400|413/.test(each))).toEqual([])
})
