import { readdirSync } from 'node:fs'
import { openApiDocument, type RouteSpec, routes } from '@docent/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { DomUtils, parseDocument } from 'htmlparser2'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDemoPages } from '../../src/demo/shop.ts'
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

function elements(page: Nodes, isWanted: (name: string, attributes: Record<string, string>) => boolean) {
  return DomUtils.findAll(({ name, attribs }) => isWanted(name, attribs), page.children)
}

function textsOf(page: Nodes, className: string): string[] {
  const matches = elements(page, (_, attributes) => attributes.class === className)
  return matches.map((element) => DomUtils.textContent(element).trim())
}

const idsOf = (page: Nodes) => elements(page, (_, { id }) => id !== undefined).map(({ attribs }) => attribs.id ?? '')
const hrefsOf = (page: Nodes) => elements(page, (name) => name === 'a').map(({ attribs }) => attribs.href ?? '')

describe('the API documentation', () => {
  test('/openapi.json matches the contract', async () => {
    const { call } = server
    const response = await call('GET /openapi.json')
    expect(response.headers['content-type']).toContain('application/json')
    expect(response.body).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test('every route is documented on /docs/api', async () => {
    const { call } = server
    const endpoints = (await referencePages(call)).flatMap((page) => textsOf(page, 'endpoint'))
    expect(endpoints.sort()).toEqual(Object.keys(routes).sort())
  })

  test('every link has a target on its page, and ids are unique', async () => {
    const { call } = server
    const paths = await referencePaths(call)
    const texts = await Promise.all(paths.map(async (path) => parseDocument((await call(`GET ${path}`)).text)))
    const idsByPath = new Map(texts.map((page, index) => [paths[index], idsOf(page)]))
    for (const [index, page] of texts.entries()) {
      const ids = idsOf(page)
      expect(ids).toEqual([...new Set(ids)])
      for (const href of hrefsOf(page).filter((each) => /^(?:\/docs\/api(?:\/[\w-]+)?)?#/.test(each))) {
        const [path, id] = href.split('#')
        expect(idsByPath.get(path || paths[index]), href).toContain(id)
      }
    }
  })

  test('a page of the reference is sent compressed, and is small enough to open at once', async () => {
    const { baseUrl, call } = server
    for (const path of await referencePaths(call)) {
      const { headers, body } = await request(`${baseUrl}${path}`, { headers: { 'accept-encoding': 'br' } })
      expect(headers['content-encoding']).toBe('br')
      expect((await body.arrayBuffer()).byteLength, path).toBeLessThan(100_000)
    }
  })

  test('samples in Node, Python and PHP make the call that the shell makes', async () => {
    const { call } = server
    const [chat] = (await referencePages(call)).flatMap((page) => elements(page, (_, { id }) => id === 'post_chat'))
    const samples = DomUtils.findAll(({ attribs }) => 'data-language' in attribs, chat?.children ?? [])
    const codes = Object.fromEntries(
      samples.map((one) => [one.attribs['data-language'], DomUtils.textContent(one)]),
    ) as Record<string, string>
    expect(Object.keys(codes)).toEqual(['curl', 'node', 'python', 'php'])
    for (const code of Object.values(codes)) expect(code).toContain('/api/v1/chat')
    expect(codes.node).toContain('env.DOCENT_API_KEY')
    expect(codes.python).toContain('"Bearer " + os.environ["DOCENT_API_KEY"]')
    expect(codes.php).toContain("'Authorization: Bearer ' . getenv('DOCENT_API_KEY')")
  })

  test('credentials, types and reports of a sync are named for people', async () => {
    const pages = await referencePages(server.call)
    const credentials = elements(pages[0] as Nodes, (name) => name === 'dt').map((term) => DomUtils.textContent(term))
    expect(credentials).toEqual(expect.arrayContaining(['Sync key', 'Visitor token']))
    expect(credentials).not.toContain('visitorToken')
    const types = pages.flatMap((page) => textsOf(page, 'type'))
    expect(types).toContain('array of objects of any values')
    for (const type of types) {
      expect(type).not.toMatch(/ss\b|\barray of (?:array|object|string)\b/)
      const choices = type.replace(/^array of /, '').split(', ')
      expect(choices, type).toEqual([...new Set(choices)])
    }
    const articles = pages.flatMap((page) => elements(page, (name) => name === 'article'))
    const textOf = (path: string) => {
      const article = articles.find(({ attribs }) => attribs['data-path'] === path)
      return DomUtils.textContent(article ?? [])
    }
    expect(textOf('/api/v1/chat/sync-products')).toMatch(
      /"dry_run": false,\s+"received": 3,[\s\S]+"The item has no title\."/,
    )
    expect(textOf('/api/chat/{botId}/history')).toContain('-H "X-Visitor-Token: $')
  })

  test('samples with a session name their origin when they change something', async () => {
    const articles = (await referencePages(server.call)).flatMap((page) => elements(page, (name) => name === 'article'))
    const codes = articles.flatMap((article) =>
      DomUtils.findAll(({ attribs }) => 'data-language' in attribs, article.children).map((one) => ({
        isChange: article.attribs['data-method'] !== 'GET',
        code: DomUtils.textContent(one),
      })),
    )
    const withSession = codes.filter(({ code }) => /\bCOOKIE\b/.test(code))
    expect(withSession.length).toBeGreaterThan(8)
    for (const { isChange, code } of withSession) expect(/Origin\b/.test(code), code).toBe(isChange)
  })

  test('calls with files are marked, because they cannot be tried on the page', async () => {
    const articles = (await referencePages(server.call)).flatMap((page) => elements(page, (name) => name === 'article'))
    const uploadArticles = articles
      .filter(({ attribs }) => 'data-upload' in attribs)
      .map(({ attribs }) => attribs['data-path'])
    const uploads = Object.entries<RouteSpec>(routes).filter(([, { multipart }]) => multipart)
    expect(uploadArticles.sort()).toEqual(uploads.map(([name]) => name.split(' ')[1]).sort())
  })

  test('every error code of a route is on the page', async () => {
    const { call } = server
    const [chat] = (await referencePages(call)).flatMap((page) => elements(page, (_, { id }) => id === 'post_chat'))
    const text = chat ? DomUtils.textContent(chat) : ''
    for (const code of routes['POST /api/v1/chat'].errors) expect(text).toContain(code)
  })

  test('every example matches its schema', async () => {
    const { call } = server
    const pages = await referencePages(call)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'api')
    let samples = 0
    for (const article of pages.flatMap((page) => elements(page, (name) => name === 'article'))) {
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

/** The overview, and the pages that it lists. */
async function referencePaths(call: TestServer['call']): Promise<string[]> {
  const hrefs = hrefsOf(parseDocument((await call('GET /docs/api')).text))
  return ['/docs/api', ...new Set(hrefs.filter((href) => /^\/docs\/api\/[\w-]+$/.test(href)))]
}

async function referencePages(call: TestServer['call']) {
  const paths = await referencePaths(call)
  return Promise.all(paths.map(async (path) => parseDocument((await call(`GET ${path}`)).text)))
}

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
    expect((await call('GET /docs/search?q=restore+a+backup')).text).toMatch(/<mark>restore<\/mark>/i)
    expect((await call('GET /docs/search?q=%3Cb%3Exylophone')).text).toContain('mentions “&lt;b&gt;xylophone”')
    expect((await call('GET /docs/search')).headers.location).toBe('/docs')
  })

  test('the docs bot answers from the guides and names them as sources', async () => {
    const { call } = server
    const response = await call('POST /api/chat/{botId}/message', {
      params: { botId: 'bot_docs' },
      body: { message: 'Can a bot use Ollama on the same machine?' },
    })
    expect(response.status).toBe(200)
    expect(response.body.reply).toContain('ALLOWED_PRIVATE_NETWORKS')
    expect(response.body.sources[0].url).toContain('/docs/language-model')
  })
})

describe('the demo shop', () => {
  test('every page is served, and its headings have the anchors that answers cite', async () => {
    const { call } = server
    for (const { slug, markdown, language } of readDemoPages()) {
      const response = await call(`GET /demo/${slug}`)
      expect(response.status, slug).toBe(200)
      expect(response.text).toContain(`<html lang="${language}">`)
      const ids = idsOf(parseDocument(response.text))
      for (const block of parseMarkdown(markdown)) if (block.kind === 'heading') expect(ids).toContain(block.anchor)
    }
  })

  test('every link on the index and the pages has a target', async () => {
    const { call, baseUrl } = server
    const statuses = new Map<string, number>()
    for (const path of ['/demo', ...readDemoPages().map(({ slug }) => `/demo/${slug}`)]) {
      const page = parseDocument((await call(`GET ${path}`)).text)
      for (const href of hrefsOf(page).filter((each) => !/^(#|mailto:|tel:)/.test(each))) {
        const url = new URL(href, baseUrl + path)
        expect(url.origin, `${path} → ${href}`).toBe(baseUrl)
        if (!statuses.has(url.pathname)) statuses.set(url.pathname, (await call(`GET ${url.pathname}`)).status)
        expect(statuses.get(url.pathname), `${path} → ${href}`).toBe(200)
      }
    }
    for (const { slug } of readDemoPages()) expect(statuses.get(`/demo/${slug}`), slug).toBe(200)
  })

  test('the index says that the shop is a demo, and has an icon that a bot can show as its logo', async () => {
    const { call } = server
    const { text } = await call('GET /demo')
    expect(text).toContain('This is a demo.')
    expect(text).toContain('<link rel="icon" href="/demo/icon.svg">')
    const { headers } = await call('GET /demo/icon.svg')
    expect(headers).toMatchObject({ 'cross-origin-resource-policy': 'cross-origin' })
    expect(headers['content-type']).toContain('image/svg+xml')
  })

  test('its address with a slash at the end leads to the index', async () => {
    const { status, headers } = await server.call('GET /demo/')
    expect([status, headers.location]).toEqual([308, '/demo'])
  })

  test('an unknown page is not found', async () => {
    const { call } = server
    for (const path of ['/demo/nothing', '/demo/de/nothing', '/demo/fr/shipping', '/demo/..%2Fproducts']) {
      const response = await call(`GET ${path}`)
      expect(response.status, path).toBe(404)
      expect(response.body.error.code).toBe('not_found')
    }
  })
})

describe('every page', () => {
  const paths = [
    '/docs',
    '/docs/api',
    '/docs/api/chat',
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
        const response = await call(`GET ${attribs.src ?? attribs.href}`)
        expect(response.status).toBe(200)
        expect(response.headers['content-type']).toMatch(/^text\/(css|javascript)/)
      }
    }
  })

  test('has a logo that keeps its size without the stylesheet', async () => {
    const pages = ['/docs', '/docs/api', '/nothing']
    for (const path of pages) {
      const { text } = await server.call(`GET ${path}`, { headers: { accept: 'text/html' } })
      const [logo] = elements(parseDocument(text), (_, attributes) => attributes.class === 'logo')
      expect(logo?.attribs, path).toMatchObject({ width: '28', height: '28' })
    }
  })

  test('answers HEAD, and 304 to a browser that has it cached', async () => {
    const { call } = server
    for (const path of [...paths, '/openapi.json', '/docs/guides.css']) {
      const head = await call(`HEAD ${path}`)
      expect(head.status, path).toBe(200)
      expect(head.text).toBe('')
      const cachedResponse = await call(`GET ${path}`, { headers: { 'if-none-match': head.headers.etag ?? '' } })
      expect(cachedResponse.status, path).toBe(304)
    }
  })
})
