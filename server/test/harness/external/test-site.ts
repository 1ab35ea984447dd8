// A website on loopback whose pages a test can change during a crawl.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ApiResponse, Call } from '../call.ts'
import { ADMIN_TOKEN } from '../start-server.ts'
import { pause, WAIT_TIMEOUT_MS } from '../wait.ts'

interface SitePage {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}
type Handler =
  | SitePage
  | string
  | ((request: IncomingMessage, response: ServerResponse) => SitePage | string | undefined)

export interface TestSite {
  url: string
  port: number
  pages: Map<string, Handler>
  /** For paths that are not in `pages`. */
  fallback: (path: string) => Handler | undefined
  /** Paths requested so far, in order. */
  requestedPaths: string[]
  headers: Map<string, IncomingHttpHeaders>
}

export async function startSite(pages: Record<string, Handler> = {}): Promise<TestSite> {
  const site: TestSite = {
    url: '',
    port: 0,
    pages: new Map(Object.entries(pages)),
    fallback: () => undefined,
    requestedPaths: [],
    headers: new Map(),
  }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    site.requestedPaths.push(path)
    site.headers.set(path, request.headers)
    const handler = site.pages.get(path) ?? site.fallback(path) ?? { status: 404, body: 'not here' }
    const content = typeof handler === 'function' ? handler(request, response) : handler
    if (content === undefined) return
    const { status = 200, headers = {}, body = '' } = typeof content === 'string' ? { body: content } : content
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  site.port = (server.address() as AddressInfo).port
  site.url = `http://127.0.0.1:${site.port}`
  return site
}

/** A typical page, with navigation, cookie banner and footer around its text. */
export function page(title: string, text: string, links: string[] = [], head = ''): string {
  const anchors = links.map((href) => `<li><a href="${href}">to ${href}</a></li>`).join('')
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body>
    <header><nav><a href="/">Home</a> Frame of the site</nav></header>
    <div class="cookie-banner">We use cookies, accept them all.</div>
    <main><h1>${title}</h1><p>${text}</p></main>
    <nav><ul>${anchors}</ul></nav><footer>Imprint and copyright</footer></body></html>`
}

export function crawlCalls(call: Call, botId: string, token = ADMIN_TOKEN) {
  const base = '/api/manage/v1/bots/{botId}/crawls'
  const send = (route: string, crawlId = '', more: object = {}) =>
    call(route, { token, params: { botId, crawlId }, ...more })

  return {
    create: (body: object) => send(`POST ${base}`, '', { body }),
    find: async (id: string) => (await send(`GET ${base}/{crawlId}`, id)).body,
    run: (id: string) => send(`POST ${base}/{crawlId}/run`, id),
    stop: (id: string) => send(`POST ${base}/{crawlId}/stop`, id),
    patch: (id: string, body: object) => send(`PATCH ${base}/{crawlId}`, id, { body }),
    remove: (id: string) => send(`DELETE ${base}/{crawlId}`, id),

    /** All pages of the crawl, by path. */
    async pages(id: string, query: Record<string, string> = {}) {
      const all = new Map<string, Record<string, unknown>>()
      let cursor: string | null = null
      do {
        const more: Record<string, string> = cursor ? { cursor } : {}
        const response: ApiResponse = await send(`GET ${base}/{crawlId}/pages`, id, {
          query: { ...query, limit: 200, ...more },
        })
        for (const item of response.body.items) all.set(item.url.replace(/^https?:\/\/[^/]+/, ''), item)
        cursor = response.body.next_cursor
      } while (cursor)
      return all
    },

    async documents() {
      const response = await call('GET /api/manage/v1/bots/{botId}/documents', {
        token,
        params: { botId },
        query: { limit: 200 },
      })
      return response.body.items as { id: string; url: string; title: string; crawl_id: string | null }[]
    },
  }
}

/** Waits until a crawl has ended, and advances the clock whenever only retries are left. */
export async function waitForCrawl(
  crawls: ReturnType<typeof crawlCalls>,
  id: string,
  { clock }: { clock?: { now: number } } = {},
): Promise<ApiResponse['body']> {
  const end = performance.now() + 2 * WAIT_TIMEOUT_MS
  // Poll less often in long crawls, where each poll lists many pages.
  for (let pauseMs = 20; ; pauseMs = Math.min(1.2 * pauseMs, 250)) {
    const crawl = await crawls.find(id)
    if (crawl.state !== 'queued' && crawl.state !== 'running') return crawl
    if (performance.now() > end) throw new Error(`the crawl did not end: ${JSON.stringify(crawl)}`)
    if (clock && crawl.state === 'running') await advanceClock(crawls, id, clock)
    await pause(pauseMs)
  }
}

async function advanceClock(crawls: ReturnType<typeof crawlCalls>, id: string, clock: { now: number }) {
  if ((await crawls.pages(id, { state: 'fetching' })).size > 0) return
  const queuedPages = [...(await crawls.pages(id, { state: 'queued' })).values()]
  const times = queuedPages.map(({ next_attempt_at }) => Date.parse(String(next_attempt_at)))
  if (times.length > 0 && times.every((time) => time > clock.now)) clock.now = Math.min(...times)
}
