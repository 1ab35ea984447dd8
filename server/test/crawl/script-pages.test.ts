// Pages that are nearly empty without JavaScript.
import { expect, test } from 'vitest'
import { docent } from '../../../cli/test/harness/docent.ts'
import { engines } from '../harness/database/databases.ts'
import { crawlCalls, page, startSite, waitForCrawl } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

test.each(engines)(
  'on %s, pages that scripts make are read from their data, or skipped with the reason',
  async (engine) => {
    const shell = (data: string) =>
      `<html><head><title>Returns</title><script src="/app.js"></script></head><body><div id="root"></div>${data}</body></html>`
    const state = { article: { title: 'Returns', text: 'You can return a jacket within 30 days of delivery.' } }
    const site = await startSite({
      '/': page('Home', 'Welcome to our shop for the mountains.', ['/with', '/without']),
      '/with': shell(`<script type="application/json">${JSON.stringify(state)}</script>`),
      '/without': shell(''),
    })
    const { call, createBot, baseUrl } = await startServer(engine, {
      environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' },
    })
    const { botId, key } = await createBot()
    const crawls = crawlCalls(call, botId)
    const crawl = await crawls.create({ url: site.url })
    const crawlEnd = await waitForCrawl(crawls, crawl.body.id)
    expect(crawlEnd.skipped).toEqual([{ reason: 'needs_javascript', pages: 1 }])
    const message = 'Within how many days can I return a jacket?'
    const { body } = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
    expect(body.response).toContain('30 days')
    expect(body.sources[0].url).toBe(`${site.url}/with`)

    const pageCrawl = await crawls.create({ url: `${site.url}/without`, max_pages: 1, include: ['/without'] })
    expect(await waitForCrawl(crawls, pageCrawl.body.id)).toMatchObject({ state: 'failed', reason: 'needs_javascript' })
    const settings = { DOCENT_URL: baseUrl, DOCENT_TOKEN: ADMIN_TOKEN }
    const outcome = await docent(['crawls', 'show', pageCrawl.body.id, '--bot', botId], settings)
    expect(outcome.output).toContain('skipped: 1 (needs_javascript)')
    expect(outcome.output).toContain('no text without JavaScript')
  },
)
