// Every page that people read in a browser.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { apiReferencePage } from './api-reference/reference-page.ts'
import { dashboardPages } from './dashboard-pages.ts'
import { demoPages } from './demo-pages.ts'
import { guidePages } from './guides/guide-pages.ts'
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
