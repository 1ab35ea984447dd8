// What is on npm works without this repository: in Node, in TypeScript, in a browser, and as a server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../src/browser.ts'
import { serveHostPage } from '../src/host-page.ts'
import { type InstalledProject, installProject } from '../src/installed-project.ts'
import { newContext } from '../src/widget-page.ts'

const QUESTION = 'When is standard shipping free?'

let project: InstalledProject
let server: Awaited<ReturnType<InstalledProject['serve']>>
beforeAll(async () => {
  project = await installProject()
  server = await project.serve()
})
afterAll(async () => {
  await server?.stop()
  project?.remove()
})

test('npx docent serve answers, with its version, pages and built dashboard', async () => {
  const { version } = JSON.parse(project.read('node_modules/@docent/docent/package.json'))
  const ready = await (await fetch(`${server.baseUrl}/readyz`)).json()
  expect(ready).toMatchObject({ status: 'ready', details: { version } })
  for (const path of ['/', '/docs', '/demo', '/widget.js', '/openapi.json'])
    expect((await fetch(server.baseUrl + path)).status, path).toBe(200)
})

test('the installed package has the files that deploy it: service, proxies, manifests, alerts', () => {
  for (const file of ['docent.service', 'proxy/nginx.conf', 'kubernetes/web.yaml', 'prometheus/alerts.yml'])
    expect(project.has(`node_modules/@docent/docent/deploy/${file}`), file).toBe(true)
})

test('the installed command lists what it accepts, and refuses anything else with exit code 2', async () => {
  expect(await project.run('npx', 'docent', 'serve', '--help')).toContain('--data-dir')
  await expect(project.run('npx', 'docent', 'serve', '--prot', '1')).rejects.toMatchObject({ code: 2 })
})

test('@docent/sdk chats and streams on the machine’s own Node', async () => {
  project.write(
    'chat.mjs',
    `import { createClient, DocentError } from '@docent/sdk'
const docent = createClient({ baseUrl: process.argv[2], token: process.argv[3] })
const { response, session_id } = await docent.chat({ bot_id: 'bot_demo', message: '${QUESTION}' })
const types = []
for await (const { type } of docent.chatStream({ bot_id: 'bot_demo', message: '${QUESTION}', session_id })) types.push(type)
const refused = await docent.request('GET /api/manage/v1/bots').catch((error) => error)
console.log(JSON.stringify({ response, types, refused: refused instanceof DocentError && refused.code }))`,
  )
  const output = JSON.parse(await project.run('node', 'chat.mjs', server.baseUrl, server.key))
  expect(output.response).toContain('60 €')
  expect(output.types).toEqual(expect.arrayContaining(['start', 'delta', 'done']))
  expect(output.refused).toBe('invalid_management_token')
})

test.each([
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
])('the packages have types under strict with %s', async (options) => {
  project.write(
    'typed.ts',
    `import { type Bot, type ChatResponse, createClient } from '@docent/sdk'
import { DocentChat as Element } from '@docent/widget'
import { DocentChat } from '@docent/widget/react'
import { createElement } from 'react'

const docent = createClient({ baseUrl: 'https://docent.example' })
export const answer: Promise<ChatResponse> = docent.chat({ bot_id: 'b', message: 'm' })
export const bot: Promise<Bot> = docent.request('GET /api/manage/v1/bots/{botId}', { params: { botId: 'b' } })
export const element: Element | null = document.querySelector('docent-chat')
export const node = createElement(DocentChat, { bot: 'b', onReply: ({ text }) => text.length })
// @ts-expect-error: a route that is not there
docent.request('GET /nothing')
// @ts-expect-error: a message is needed
docent.chat({ bot_id: 'b' })
// @ts-expect-error: not a mode
createElement(DocentChat, { bot: 'b', mode: 'large' })
`,
  )
  expect(await project.typeCheck(options)).toBe('')
})

test('@docent/widget and its React component answer in a browser', async () => {
  project.write(
    'page.js',
    `import '@docent/widget'
import { DocentChat } from '@docent/widget/react'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const props = { bot: 'bot_demo', server: '${server.baseUrl}', mode: 'inline', onReply: ({ text }) => (document.title = text) }
createRoot(document.getElementById('react')).render(createElement(DocentChat, props))`,
  )
  const plain = `<docent-chat bot="bot_demo" server="${server.baseUrl}" mode="inline"></docent-chat>`
  const html = (body: string) =>
    `<!doctype html><title>A page</title>${body}<script type="module" src="/page.js"></script>`
  const files = { '/page.js': { type: 'text/javascript', text: await project.bundle('page.js') } }
  const browser = await launchBrowser()
  try {
    for (const body of [`${plain}<div id="react" hidden></div>`, '<div id="react"></div>']) {
      const page = await (await newContext(browser)).newPage()
      await page.goto(await serveHostPage({ html: html(body), files }))
      const chat = page.locator('docent-chat').first()
      await chat.locator('.composer textarea').fill(QUESTION)
      await chat.locator('.composer textarea').press('Enter')
      await chat.locator('.entry.bot').getByText('60 €').first().waitFor()
      if (body.startsWith('<div')) await expect.poll(() => page.title()).toContain('60 €')
    }
  } finally {
    await browser.close()
  }
})

test('a server started by npx stops in order when npx is told to end', async () => {
  await server.stop()
  await expect(fetch(`${server.baseUrl}/readyz`)).rejects.toThrow()
  // Left behind by a process that was killed.
  expect(project.has('data/docent.sqlite')).toBe(true)
  expect(project.has('data/docent.sqlite-wal')).toBe(false)
})
