// The contract is the single source: every route in it is served, and every served route is documented.
import { readdirSync, readFileSync } from 'node:fs'
import { type Caller, CRAWL_REASONS, errorCatalogue, openApiDocument, type RouteSpec, routes } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import type { CallOptions } from '../harness/call.ts'
import { setUpOwner } from '../harness/people.ts'
import { responseProblem } from '../harness/response-check.ts'
import { isEventStream, paramNames, sampleRequest } from '../harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createTenant } from '../harness/tenants.ts'

interface OpenApi {
  servers: unknown
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
}

const rows = Object.entries(routes) as [string, RouteSpec][]
const operation = (document: OpenApi, name: string) => {
  const [method = '', path = ''] = name.split(' ')
  return document.paths[path]?.[method.toLowerCase()]
}

test('every route is served, and authenticates its caller first', async () => {
  const { call } = await startServer('sqlite')
  const params = new Proxy({}, { get: () => 'unknown' })
  const wrong: string[] = []
  for (const [name, { caller, status, body }] of rows) {
    const isOpen = caller === 'anyone' || caller === 'operator'
    const response = await call(name, { params })
    const refusalStatus = caller === 'widget' || caller === 'visitor' ? 404 : 401
    if (response.status !== (isOpen ? (body ? 400 : status) : refusalStatus)) wrong.push(`${name}: ${response.status}`)
  }
  expect(wrong).toEqual([])
})

test('every route is found in http/ by its text', () => {
  const folder = new URL('../../src/http/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const handled = files.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/\broute\(\s*'([^']+)'/g)].map(([, route]) => route),
  )
  expect(handled.sort()).toEqual(Object.keys(routes).sort())
})

test('a known path with another method lists the allowed methods', async () => {
  const { call } = await startServer('sqlite')
  const response = await call('PUT /api/v1/chat')
  expect(response.status).toBe(405)
  expect(response.body.error.code).toBe('method_not_allowed')
  expect(response.headers.allow).toBe('POST')
})

test('every operation answers invalid and valid requests as the OpenAPI document declares', async () => {
  const environment = { WIDGET_REQUESTS_PER_MINUTE: '100000', WIDGET_MESSAGES_PER_MINUTE: '100000' }
  const server = await startServer('sqlite', { environment })
  const tenant = await createTenant(server.call, 'alpha')
  const person = await setUpOwner(server)
  const credentials: Record<Caller, CallOptions> = {
    chat_key: { token: tenant.key },
    sync_key: { headers: { 'x-service-key': tenant.syncKey } },
    widget: {},
    visitor: { headers: { 'x-visitor-token': tenant.visitorToken } },
    management: { token: ADMIN_TOKEN },
    instance_owner: { token: ADMIN_TOKEN },
    session: { headers: { cookie: person.cookie(), origin: server.baseUrl } },
    operator: {},
    anyone: {},
  }
  const statuses = new Map<number, number>()
  const problems: string[] = []
  const ask = async (name: string, { caller }: RouteSpec, options: CallOptions) => {
    const { token, headers } = credentials[caller]
    const response = await server.call(name, { ...options, token, headers: { ...headers, ...options.headers } })
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    const problem = response.status < 500 ? responseProblem(name, response) : `${name}: ${response.status}`
    if (problem) problems.push(problem)
  }
  const paramsOf = (name: string) =>
    Object.fromEntries(paramNames(name).map((param) => [param, String(tenant[param as keyof typeof tenant])]))

  for (const [name, spec] of rows) {
    await Promise.all(badRequests(name, spec, paramsOf(name)).map((request) => ask(name, spec, request)))
  }
  const inOrder = rows.toSorted(([a], [b]) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')))
  for (const [name, spec] of inOrder)
    if (!isEventStream(spec)) await ask(name, spec, { params: paramsOf(name), ...sampleRequest(spec) })

  expect(problems).toEqual([])
  // Most invalid requests were refused as such, and most valid ones succeeded.
  expect(statuses.get(400)).toBeGreaterThan(rows.length)
  expect(statuses.get(200)).toBeGreaterThan(rows.length / 3)
})

function badRequests(name: string, spec: RouteSpec, params: Record<string, string>): CallOptions[] {
  const calls: CallOptions[] = paramNames(name).map((param) => ({ params: { ...params, [param]: 'x'.repeat(280) } }))
  if (!name.startsWith('GET ')) {
    calls.push({ params, raw: '{' })
    if (!spec.streamed) calls.push({ params, raw: 'x', headers: { 'content-type': 'image/png' } })
  }
  // A request that is valid otherwise would open a stream, or delete what the next one needs.
  if (isEventStream(spec) || name.startsWith('DELETE ')) return calls
  const queries = Object.keys(spec.query?.properties ?? {})
  calls.push(...queries.map((query) => ({ params, query: { [query]: '\u0000'.repeat(600) } })))
  if (spec.body) calls.push(...['[]', '{"session_id":7,"message":7,"name":7}'].map((raw) => ({ params, raw })))
  return calls
}

describe('the OpenAPI document', () => {
  const document = openApiDocument({ version: VERSION, serverUrl: 'http://localhost:8080' }) as unknown as OpenApi

  test('describes every route with all its errors', () => {
    const undocumentedErrors = rows.flatMap(([name, { errors }]) =>
      errors
        .filter((code) => {
          const response = operation(document, name)?.responses[errorCatalogue[code].status]
          return !response?.description.includes(`\`${code}\``)
        })
        .map((code) => `${name}: ${code}`),
    )
    expect(undocumentedErrors).toEqual([])
  })

  test('declares what any operation can answer: too many requests, and headers that are too large', () => {
    const { paths } = openApiDocument({ version: VERSION, serverUrl: 'https://docent.test' }) as {
      paths: Record<string, Record<string, { responses: object }>>
    }
    for (const operations of Object.values(paths))
      for (const { responses } of Object.values(operations))
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '431']))
  })

  test('on disk matches the contract (npm run generate)', () => {
    const path = new URL('../../../docs/openapi.json', import.meta.url)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(document)
  })

  test('as served matches the contract, with the URL of this server', async () => {
    const { call } = await startServer('sqlite')
    const { status, body } = await call('GET /openapi.json')
    expect(status).toBe(200)
    expect(body).toEqual({ ...document, servers: [{ url: 'https://docent.test' }] })
  })
})

test('the guide lists every reason that a crawl can report', () => {
  const guide = readFileSync(new URL('../../../docs/guides/knowledge.md', import.meta.url), 'utf8')
  const reasons = guide.slice(guide.indexOf('Reasons to skip:'), guide.indexOf('What may pass'))
  expect([...reasons.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(expect.arrayContaining([...CRAWL_REASONS]))
})
