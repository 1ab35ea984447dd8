// Every page that people read in a browser.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { apiReferencePage } from './api-reference/reference-page.ts'
import { dashboardPages } from './dashboard-pages.ts'
import { demoPages } from './demo-pages.ts'
import { guidePages } from './guide-pages.ts'
import { BRAND, html, pageHtml, STRICT_POLICY } from './page-html.ts'
import { sourcePages } from './source-pages.ts'
import { type ChatPageBot, widgetPages } from './widget-pages.ts'

interface ShownBot extends ChatPageBot {
  sourcePages: boolean
}

interface Shown {
  config: Context['config']
  findBot: (botId: string) => Promise<ShownBot | undefined>
  hasDocument: (botId: string, documentId: string) => Promise<boolean>
  makeOpenApi: () => object
  /** The bots on our own pages; null where there is none. */
  firstBots: () => { demo: { botId: string } | null; docsBotId: string | null }
}

export function mountPages(server: FastifyInstance, { config, findBot, hasDocument, makeOpenApi, firstBots }: Shown) {
  const { baseUrl, widgetBaseUrl } = config
  const address = widgetBaseUrl === baseUrl ? '' : widgetBaseUrl
  const widgetOf = (botId: string | null | undefined) => (botId ? { botId, address } : null)
  apiReferencePage(server, makeOpenApi)
  widgetPages(server, findBot)
  sourcePages(server, async (botId, documentId) => {
    const bot = await findBot(botId)
    return bot?.sourcePages === true && hasDocument(botId, documentId)
  })
  demoPages(server, () => widgetOf(firstBots().demo?.botId))
  guidePages(server, () => widgetOf(firstBots().docsBotId))
  dashboardPages(server, address)
}

/**
 * What people see at an address that leads nowhere; programs get the error as JSON. The host of the widget has neither
 * a dashboard nor guides, so the links lead to the other one.
 */
export function makeNotFoundPage(baseUrl: string) {
  const text = pageHtml({
    title: 'Page not found',
    description: 'There is no page at this address.',
    language: 'en',
    stylesheet: '/docs/guides.css',
    body: html`<header class="top"><a class="brand" href="${baseUrl}/">${BRAND}</a></header>
<main id="content" class="lost"><h1>Page not found</h1>
<p>There is no page at this address. It may have moved, or the link is incomplete.</p>
<p><a href="${baseUrl}/">Dashboard</a> · <a href="${baseUrl}/docs">Documentation</a></p></main>`,
  })
  return { text, policy: STRICT_POLICY }
}
