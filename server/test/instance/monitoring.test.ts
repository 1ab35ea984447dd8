// Metrics, the files in deploy/ that use them, log lines and traces, as documented in the guide.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { METRICS } from '../../src/telemetry/metrics.ts'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8')
const guide = read('docs/guides/monitoring.md')
/** The names in the first column of the table below this heading. */
const namesUnder = (heading: string) => {
  const table = guide.slice(guide.indexOf(`| ${heading} |`)).split('\n\n')[0] ?? ''
  return [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}
const metricNames = Object.keys(METRICS)

describe('metrics', () => {
  test('are in the Prometheus text format, and labelled by route instead of path', async () => {
    const { call, createBot } = await startServer('sqlite')
    const { botId } = await createBot()
    await call('GET /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
    const { status, headers, text } = await call('GET /metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain')
    const sample = /^[a-z0-9_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+$/
    const type = /^# (TYPE [a-z0-9_]+ (counter|gauge|histogram)|HELP [a-z0-9_]+ .+\.)$/
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(line.startsWith('#') ? type : sample)
    expect(text).toContain('docent_requests_total{route="GET /api/manage/v1/bots/{botId}",status="200"} 1')
    expect(text).not.toContain(botId)
  })

  test('without a token are served only to this machine, not through a proxy', async () => {
    const { call } = await startServer('sqlite')
    expect((await call('GET /metrics', { headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(404)
    expect((await call('GET /metrics', { headers: { forwarded: 'for=127.0.0.1' } })).status).toBe(404)
  })

  test('with a token are served to anybody who has it', async () => {
    const METRICS_TOKEN = 'metrics-token-0123456789'
    const { call } = await startServer('sqlite', { environment: { METRICS_TOKEN } })
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    expect((await call('GET /metrics')).status).toBe(404)
    expect((await call('GET /metrics', { token: `${METRICS_TOKEN}x` })).status).toBe(404)
    expect((await call('GET /metrics', { token: METRICS_TOKEN, headers })).status).toBe(200)
  })

  test.each(engines)('on %s cover turns, quotas, queues, the database and the disk', async (engine) => {
    const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
    const { call, createBot } = await startServer(engine, { environment })
    const { botId, key } = await createBot({
      dailyLimit: 3,
      documents: [{ title: 'Hours', text: 'The shop opens at nine in the morning.' }],
      webhookUrl: 'http://127.0.0.1:9/',
    })
    for (const message of ['When does the shop open?', 'Hello', 'Who painted the Mona Lisa?', 'One too many'])
      await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
    const url = 'http://127.0.0.1:9/'
    await call('POST /api/manage/v1/bots/{botId}/crawls', { token: ADMIN_TOKEN, params: { botId }, body: { url } })
    const text = async () => (await call('GET /metrics')).text
    await expect.poll(text).toContain('docent_webhook_attempts_total{succeeded="false"}')
    await expect.poll(text).toContain('docent_crawled_pages_total{result="queued"}')
    const metrics = await text()
    for (const outcome of ['answered', 'small_talk', 'fallback'])
      expect(metrics).toContain(`docent_turns_total{channel="api",outcome="${outcome}"} 1`)
    for (const stage of ['history', 'answer', 'index', 'write'])
      expect(metrics).toContain(`docent_turn_stage_seconds_count{stage="${stage}"} 3`)
    expect(metrics).toContain('docent_turn_stage_seconds_count{stage="search"}')
    expect(metrics).toContain('docent_quota_rejections_total{quota="chat_calls"} 1')
    expect(metrics).toMatch(/^docent_queue_depth\{queue="webhooks"\} [1-9]/m)
    expect(metrics).toContain('docent_queue_oldest_seconds{queue="vectors"} 0')
    expect(metrics).toMatch(/^docent_ready 1$/m)
    expect(metrics).toContain(`database="${engine}"`)
    const values = ['docent_database_size_bytes', 'docent_disk_free_bytes', 'docent_disk_size_bytes'].concat(
      engine === 'sqlite' ? 'docent_database_wal_bytes' : 'docent_database_pool_size',
    )
    for (const name of values) expect(metrics).toMatch(new RegExp(`^${name} [1-9]`, 'm'))
    const exportedNames = [...metrics.matchAll(/^# HELP (\w+) /gm)].map(([, name]) => name)
    expect(exportedNames).toEqual(metricNames)
  })

  test('match the list in the guide', () => {
    expect(namesUnder('metric').sort()).toEqual([...metricNames].sort())
  })
})

describe('the files for Prometheus and Grafana', () => {
  const ofServices = ['up']
  /** Words of a query that are followed by a selector, a range or nothing, except labels, functions and keywords. */
  const metricsIn = (query: string) =>
    [...query.replace(/\{[^}]*\}|\b(by|without|scalar)? ?\([a-z_, ]+\)/g, '').matchAll(/\b[a-z][a-z0-9_]+\b(?! *\()/g)]
      .map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))
      .filter((name) => name.includes('_') || ofServices.includes(name))

  test('query only metrics that exist, and their alerts match the guide', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yml'))
    const rules: Record<string, string>[] = groups.flatMap(({ rules }: { rules: object[] }) => rules)
    expect(rules.map(({ alert }) => alert)).toEqual(namesUnder('alert'))
    const dashboard = JSON.parse(read('deploy/grafana/docent.json'))
    const panels: { targets?: { expr: string }[] }[] = dashboard.panels
    const queries = [
      ...rules.map(({ expr = '' }) => expr),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ]
    const usedNames = new Set(queries.flatMap(metricsIn))
    expect([...usedNames].filter((name) => !metricNames.includes(name) && !ofServices.includes(name))).toEqual([])
    // Every metric must be used.
    expect(metricNames.filter((name) => !usedNames.has(name))).toEqual([])
  })
})

describe('log lines', () => {
  const documentedFields = namesUnder('field')

  test('have only fields that the guide lists', async () => {
    const { call, createBot, logs } = await startServer('sqlite')
    const { botId, key } = await createBot()
    await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hi' } })
    await call('GET /api/manage/v1/bots', { token: 'wrong' })
    const lines = logs().trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(3)
    const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))))
    expect([...fields].filter((field) => !documentedFields.includes(field))).toEqual([])
  })

  test('in the sources use only fields that the guide lists', () => {
    const sources = readdirSync(`${ROOT}/server/src`, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    )
    const calls = sources.flatMap((path) => [
      ...read(`server/src/${path}`).matchAll(/\b(?:log|logger)\.(?:info|warn|error)\(\{([^}]*)\}|\bwarn\(\{([^}]*)\}/g),
    ])
    expect(calls.length).toBeGreaterThan(8)
    const fields = calls.flatMap(([, ...bodies]) =>
      (bodies.find(Boolean) ?? '').split(',').map((part) => /^\s*(\w+)/.exec(part)?.[1] ?? '...'),
    )
    // The only spread logs a language model failure.
    expect(fields.filter((field) => !documentedFields.includes(field) && field !== '...')).toEqual([])
  })
})

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number; message?: string }
}

describe('traces', () => {
  test('of a turn, its webhooks and a crawl reach the collector, and contain no text', async () => {
    const collector = await startCollector()
    const server = await startServer('sqlite', {
      environment: {
        ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20CANARY',
      },
    })
    const { call, createBot } = server
    const documents = [{ title: 'Hours', text: 'The shop opens at nine in the morning.' }]
    const { botId, key } = await createBot({ documents, webhookUrl: 'http://127.0.0.1:9/hook' })
    const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    const message = 'When does the shop open?'
    await call('POST /api/v1/chat', { token: key, headers, body: { bot_id: botId, message } })
    const params = { botId }
    await call('POST /api/chat/{botId}/message', { headers, params, body: { message } })
    const body = { url: 'http://127.0.0.1:9/secret-path' }
    await call('POST /api/manage/v1/bots/{botId}/crawls', { token: ADMIN_TOKEN, params, body })
    await expect.poll(async () => (await call('GET /metrics')).text).toMatch(/^docent_crawled_/m)
    await server.stop()

    const { spans } = collector
    const [chat] = spans.filter(({ traceId, kind }) => traceId === headers.traceparent.slice(3, 35) && kind === 2)
    expect(chat).toMatchObject({ name: 'POST /api/v1/chat', parentSpanId: headers.traceparent.slice(36, 52) })
    const under = (parent: SentSpan | undefined, name: string) =>
      spans.find((span) => span.parentSpanId === parent?.spanId && span.name === name)
    const turn = under(chat, 'turn')
    expect(valuesOf(turn)).toMatchObject({ 'docent.bot_id': botId, 'docent.outcome': 'answered' })
    const answer = under(turn, 'answer')
    for (const span of [
      under(turn, 'history'),
      under(answer, 'search'),
      under(answer, 'index'),
      under(turn, 'write'),
    ]) {
      expect(span?.traceId).toBe(chat?.traceId)
      expect(BigInt(span?.startTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(turn?.startTimeUnixNano ?? 0))
      expect(BigInt(span?.endTimeUnixNano ?? 0)).toBeLessThanOrEqual(BigInt(turn?.endTimeUnixNano ?? 0))
    }
    // Unauthenticated callers start a new trace.
    const widget = spans.find(({ name }) => name === 'POST /api/chat/{botId}/message')
    expect(widget?.parentSpanId).toBeUndefined()
    expect(spans.find(({ name }) => name === 'deliver webhook')).toMatchObject({ kind: 3, status: { code: 2 } })
    const page = under(
      spans.find(({ name }) => name === 'crawl'),
      'crawl page',
    )
    expect(valuesOf(page)).toMatchObject({ 'server.address': '127.0.0.1:9', 'docent.result': 'queued' })

    expect(collector.authorizations).toEqual(new Set(['Basic CANARY']))
    expect(server.logs()).toContain(`"trace":"${chat?.traceId}"`)
    expect(server.logs()).not.toContain('CANARY')
    expect(JSON.stringify(spans)).not.toMatch(/When does|opens at nine|secret-path|\/hook|dct_chat_/)
  })

  test('are dropped and counted while the collector is down, and delay nothing', async () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    const { call, logs, createBot } = await startServer('sqlite', { environment })
    await createBot()
    const text = async () => (await call('GET /metrics')).text
    await expect.poll(text).toMatch(/^docent_spans_total\{result="dropped"\} [1-9]/m)
    expect(logs().match(/traces could not be sent/g)).toHaveLength(1)
  })
})

function valuesOf(span: SentSpan | undefined) {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
}

async function startCollector() {
  const spans: SentSpan[] = []
  const authorizations = new Set<string | undefined>()
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    for (const { resource, scopeSpans } of resourceSpans) {
      expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'docent' } })
      spans.push(...scopeSpans.flatMap(({ spans }: { spans: SentSpan[] }) => spans))
    }
    authorizations.add(request.headers.authorization)
    response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, authorizations }
}
