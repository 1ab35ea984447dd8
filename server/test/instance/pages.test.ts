import { readdirSync } from 'node:fs'
import { openApiDocument, routes } from '@docent/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { DomUtils, parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDemoPages } from '../../src/demo/pages.ts'
import { readGuides } from '../../src/docs/guides.ts'
import { parseMarkdown } from '../../src/sources/documents/parse-markdown.ts'
import { VERSION } from '../../src/version.ts'
import { startServer, type TestServer } from '../harness/start-server.ts'

const document = openApiDocument({ version: VERSION, serverUrl: 'https://docent.test' })

type Paths = Record<string, Record<string, { operationId: string; responses: object }>>
type Nodes = ReturnType<typeof parseDocument>

let server: TestServer
let stop: () => Promise<void>
beforeAll(async () => {
  const onEnd = (end: typeof stop) => {
    stop = end
  }
  server = await startServer('sqlite', { environment: { DEMO_BOT: 'on' }, onEnd })
})
afterAll(() => stop())

function elements(page: Nodes, wanted: (name: string, attributes: Record<string, string>) => boolean) {
  return DomUtils.findAll(({ name, attribs }) => wanted(name, attribs), page.children)
}

function textsOf(page: Nodes, className: string): string[] {
  const found = elements(page, (_, attributes) => attributes.class === className)
  return found.map((element) => DomUtils.textContent(element).trim())
}

const idsOf = (page: Nodes) => elements(page, (_, { id }) => id !== undefined).map(({ attribs }) => attribs.id ?? '')
const hrefsOf = (page: Nodes) => elements(page, (name) => name === 'a').map(({ attribs }) => attribs.href ?? '')

describe('the API documentation', () => {
  test('/openapi.json matches the contract', async () => {
    const { call } = server
    const answer = await call('GET /openapi.json')
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test('every route is documented on /docs/api', async () => {
    const { call } = server
    const page = parseDocument((await call('GET /docs/api')).text)
    expect(textsOf(page, 'endpoint').sort()).toEqual(Object.keys(routes).sort())
  })

  test('every link within the page has a target, and ids are unique', async () => {
    const { call } = server
    const page = parseDocument((await call('GET /docs/api')).text)
    const ids = idsOf(page)
    expect(ids).toEqual([...new Set(ids)])
    for (const href of hrefsOf(page).filter((each) => each.startsWith('#'))) expect(ids).toContain(href.slice(1))
  })

  test('every error code of a route is on the page', async () => {
    const { call } = server
    const page = parseDocument((await call('GET /docs/api')).text)
    const chat = elements(page, (_, { id }) => id === 'post_chat')[0]
    const text = chat ? DomUtils.textContent(chat) : ''
    for (const code of routes['POST /api/v1/chat'].errors) expect(text).toContain(code)
  })

  test('every example matches its schema', async () => {
    const { call } = server
    const page = parseDocument((await call('GET /docs/api')).text)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'api')
    let samples = 0
    for (const article of elements(page, (name) => name === 'article')) {
      const pointers = schemaPointers(article.attribs.id ?? '')
      for (const sample of DomUtils.findAll(({ attribs }) => 'data-sample' in attribs, article.children)) {
        const pointer = pointers[sample.attribs['data-sample'] ?? '']
        if (!pointer) continue
        const validate = ajv.compile({ $ref: `api#${pointer}` })
        validate(JSON.parse(DomUtils.textContent(sample)))
        expect(validate.errors, pointer).toBeNull()
        samples += 1
      }
    }
    expect(samples).toBeGreaterThan(30)
  })
})

/** Pointers to an operation's schemas in the OpenAPI document. */
function schemaPointers(id: string): { [kind: string]: string } {
  for (const [path, operations] of Object.entries(document.paths as Paths))
    for (const [method, { operationId, responses }] of Object.entries(operations)) {
      if (operationId !== id) continue
      const operation = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}`
      const status = Object.keys(responses).find((each) => each.startsWith('2'))
      const schema = 'content/application~1json/schema'
      return { request: `${operation}/requestBody/${schema}`, answer: `${operation}/responses/${status}/${schema}` }
    }
  const event = Object.entries(document.webhooks as Paths).find(([, { post }]) => post?.operationId === id)
  if (event) return { event: `/webhooks/${event[0]}/post/requestBody/content/application~1json/schema` }
  throw new Error(`no operation ${id}`)
}

describe('the docs site', () => {
  test('every guide is listed and has a page whose links and pictures exist', async () => {
    const { call, baseUrl } = server
    const files = readdirSync(new URL('../../../docs/guides', import.meta.url)).map((name) => name.replace('.md', ''))
    expect(
      readGuides()
        .map(({ slug }) => slug)
        .sort(),
    ).toEqual(files.sort())
    const statuses = new Map<string, number>()
    for (const path of ['/docs', ...files.map((slug) => `/docs/${slug}`)]) {
      const page = parseDocument((await call(`GET ${path}`)).text)
      const pictures = elements(page, (name) => name === 'img').map(({ attribs }) => attribs.src ?? '')
      for (const href of [...hrefsOf(page), ...pictures]) {
        const url = new URL(href, baseUrl + path)
        if (url.origin !== baseUrl) continue
        if (!statuses.has(url.pathname)) statuses.set(url.pathname, (await call(`GET ${url.pathname}`)).status)
        expect(statuses.get(url.pathname), `${path} → ${href}`).toBe(200)
      }
    }
    for (const slug of files) expect(statuses.get(`/docs/${slug}`), slug).toBe(200)
    expect((await call('GET /docs/nothing')).status).toBe(404)
    expect((await call('GET /docs/images/..%2F..%2Fproof.md')).status).toBe(404)
  })

  test('a search finds the section, or says that there is none', async () => {
    const { call } = server
    const hits = hrefsOf(parseDocument((await call('GET /docs/search?q=restore+a+backup')).text))
    expect(hits.find((href) => /^\/docs\/.*#/.test(href))).toMatch(/^\/docs\/backup#/)
    expect((await call('GET /docs/search?q=%3Cb%3Exylophone')).text).toContain('mentions “&lt;b&gt;xylophone”')
    expect((await call('GET /docs/search')).headers.location).toBe('/docs')
  })

  test('the docs bot answers from the guides and names them as sources', async () => {
    const { call } = server
    const answer = await call('POST /api/chat/{botId}/message', {
      params: { botId: 'bot_docs' },
      body: { message: 'Can a bot use Ollama on the same machine?' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body.reply).toContain('ALLOWED_PRIVATE_NETWORKS')
    expect(answer.body.sources[0].url).toContain('/docs/language-model')
  })
})

describe('the demo shop', () => {
  test('every page is served, and its headings have the anchors that answers cite', async () => {
    const { call } = server
    for (const { slug, markdown, language } of readDemoPages()) {
      const answer = await call(`GET /demo/${slug}`)
      expect(answer.status, slug).toBe(200)
      expect(answer.text).toContain(`<html lang="${language}">`)
      const ids = idsOf(parseDocument(answer.text))
      for (const block of parseMarkdown(markdown)) if (block.kind === 'heading') expect(ids).toContain(block.anchor)
    }
  })

  test('every link on the index and the pages has a target', async () => {
    const { call, baseUrl } = server
    const found = new Map<string, number>()
    for (const path of ['/demo', ...readDemoPages().map(({ slug }) => `/demo/${slug}`)]) {
      const page = parseDocument((await call(`GET ${path}`)).text)
      for (const href of hrefsOf(page).filter((each) => !/^(#|mailto:|tel:)/.test(each))) {
        const url = new URL(href, baseUrl + path)
        expect(url.origin, `${path} → ${href}`).toBe(baseUrl)
        if (!found.has(url.pathname)) found.set(url.pathname, (await call(`GET ${url.pathname}`)).status)
        expect(found.get(url.pathname), `${path} → ${href}`).toBe(200)
      }
    }
    for (const { slug } of readDemoPages()) expect(found.get(`/demo/${slug}`), slug).toBe(200)
  })

  test('the index says that the shop is a demo', async () => {
    const { call } = server
    expect((await call('GET /demo')).text).toContain('This is a demo.')
  })

  test('an unknown page is not found', async () => {
    const { call } = server
    for (const path of ['/demo/nothing', '/demo/de/nothing', '/demo/fr/shipping', '/demo/..%2Fproducts']) {
      const answer = await call(`GET ${path}`)
      expect(answer.status, path).toBe(404)
      expect(answer.body.error.code).toBe('not_found')
    }
  })
})

describe('every page', () => {
  const paths = [
    '/docs',
    '/docs/api',
    '/docs/knowledge',
    '/docs/search?q=backup',
    '/demo',
    '/demo/shipping',
    '/demo/de/versand',
  ]

  test('forbids external and inline code, and has none', async () => {
    const { call } = server
    for (const path of paths) {
      const { headers, text } = await call(`GET ${path}`)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      const page = parseDocument(text)
      expect(elements(page, (name) => name === 'style')).toEqual([])
      expect(elements(page, (name, { src }) => name === 'script' && !src)).toEqual([])
      const inline = elements(page, (_, attributes) =>
        Object.keys(attributes).some((name) => name === 'style' || /^on/.test(name)),
      )
      expect(inline).toEqual([])
    }
  })

  test('loads its styles and scripts from this server', async () => {
    const { call } = server
    for (const path of paths) {
      const page = parseDocument((await call(`GET ${path}`)).text)
      const assets = elements(page, (name, { rel }) => name === 'script' || rel === 'stylesheet')
      for (const { attribs } of assets) {
        const answer = await call(`GET ${attribs.src ?? attribs.href}`)
        expect(answer.status).toBe(200)
        expect(answer.headers['content-type']).toMatch(/^text\/(css|javascript)/)
      }
    }
  })

  test('answers HEAD, and 304 to a browser that has it cached', async () => {
    const { call } = server
    for (const path of [...paths, '/openapi.json', '/docs/guides.css']) {
      const head = await call(`HEAD ${path}`)
      expect(head.status, path).toBe(200)
      expect(head.text).toBe('')
      const again = await call(`GET ${path}`, { headers: { 'if-none-match': head.headers.etag ?? '' } })
      expect(again.status, path).toBe(304)
    }
  })
})
