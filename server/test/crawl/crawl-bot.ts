// A bot that crawls websites on loopback.
import { expect } from 'vitest'
import type { engines } from '../harness/database/databases.ts'
import { crawlCalls, waitForCrawl } from '../harness/external/test-site.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'

const onLoopback = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }

export async function start(engine: (typeof engines)[number], environment: Record<string, string> = {}) {
  const server = await startServer(engine, { environment: { ...onLoopback, ...environment } })
  const { botId } = await server.createBot()
  const crawls = crawlCalls(server.call, botId)
  const runToEnd = async (id: string) => waitForCrawl(crawls, id, { clock: server.clock })
  /** Without re-crawls, which would run when a test sets the clock forward. */
  const readAll = async (body: object) => {
    const response = await crawls.create({ every_hours: null, ...body })
    expect([response.status, response.text]).toEqual([201, response.text])
    return { id: response.body.id as string, crawl: await runToEnd(response.body.id) }
  }
  return { ...server, botId, crawls, runToEnd, readAll }
}

export async function search({ call }: Pick<TestServer, 'call'>, botId: string, q: string) {
  const params = { botId }
  return (await call('GET /api/manage/v1/bots/{botId}/search', { token: ADMIN_TOKEN, params, query: { q } })).body
    .results
}
