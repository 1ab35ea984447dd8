// The route table is the one source: what it lists is served, and what is served is described.
import { readFileSync } from 'node:fs'
import { crawlReasons, errorCatalogue, openApiDocument, type RouteSpec, routes } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../src/version.ts'
import { startServer } from './harness/start-server.ts'

interface OpenApi {
  servers: unknown
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
}

const rows = Object.entries(routes) as [string, RouteSpec][]
const operation = (document: OpenApi, name: string) => {
  const [method = '', path = ''] = name.split(' ')
  return document.paths[path]?.[method.toLowerCase()]
}

test('every route of the table is served, and asks for its caller first', async () => {
  const { call } = await startServer('sqlite')
  const params = new Proxy({}, { get: () => 'unknown' })
  const wrong: string[] = []
  for (const [name, { caller, status, body }] of rows) {
    const open = caller === 'anyone' || caller === 'operator'
    const answer = await call(name, { params })
    const refused = caller === 'widget' || caller === 'visitor' ? 404 : 401
    if (answer.status !== (open ? (body ? 400 : status) : refused)) wrong.push(`${name}: ${answer.status}`)
  }
  expect(wrong).toEqual([])
})

test('an address of the table with another method tells the methods it takes', async () => {
  const { call } = await startServer('sqlite')
  const answer = await call('PUT /api/v1/chat')
  expect(answer.status).toBe(405)
  expect(answer.body.error.code).toBe('method_not_allowed')
  expect(answer.headers.allow).toBe('POST')
})

describe('the OpenAPI document', () => {
  const document = openApiDocument({ version: VERSION, serverUrl: 'http://localhost:8080' }) as unknown as OpenApi

  test('describes every route with every error of its row', () => {
    const missing = rows.flatMap(([name, { errors }]) =>
      errors
        .filter((code) => {
          const answer = operation(document, name)?.responses[errorCatalogue[code].status]
          return !answer?.description.includes(`\`${code}\``)
        })
        .map((code) => `${name}: ${code}`),
    )
    expect(missing).toEqual([])
  })

  test('on disk is the contract’s (npm run generate)', () => {
    const path = new URL('../../docs/openapi.json', import.meta.url)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(document)
  })

  test('served is the contract’s, with the address of this server', async () => {
    const { call } = await startServer('sqlite')
    const { status, body } = await call('GET /openapi.json')
    expect(status).toBe(200)
    expect(body).toEqual({ ...document, servers: [{ url: 'https://docent.test' }] })
  })
})

test('the guide names every reason that a crawl can give', () => {
  const guide = readFileSync(new URL('../../docs/guides/knowledge.md', import.meta.url), 'utf8')
  const reasons = guide.slice(guide.indexOf('Reasons to skip:'), guide.indexOf('What may pass'))
  expect([...reasons.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(expect.arrayContaining([...crawlReasons]))
})
