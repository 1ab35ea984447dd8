// Requests at random over every operation of the OpenAPI document, right ones and wrong ones: each is answered as the
// document says, and none with a failure of the server.
import { type Caller, openApiDocument, type RouteSpec } from '@docent/contract'
import type { ApiResponse, CallOptions } from '../../../server/test/harness/call.ts'
import { joinWorkspace, setUpOwner } from '../../../server/test/harness/people.ts'
import { responseProblem } from '../../../server/test/harness/response-check.ts'
import { paramNames, routeTable, uploadForm } from '../../../server/test/harness/samples/route-samples.ts'
import { ADMIN_TOKEN } from '../../../server/test/harness/start-server.ts'
import { createTenant, type Tenant } from '../../../server/test/harness/tenants.ts'
import { inParallel, type PartOptions, type PartResult, startWatchedServer, type WatchedServer } from '../part.ts'
import { type Generate, makeGenerate, type Schema } from './generate-value.ts'
import { mutate } from './mutate.ts'
import { makeRandom, type Random } from './random.ts'
import { send } from './send.ts'

interface Operation {
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Requests until what was deleted and used up is made anew. */
const ROUND = 500
const AT_ONCE = 8
const MAX_PROBLEMS = 50
/** Told by the server itself, whatever the operation. */
const general: Record<number, string> = { 408: 'request_timeout', 431: 'headers_too_large' }
const { paths, components } = openApiDocument({ version: '0', serverUrl: 'https://docent.test' }) as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
export async function tryRequests({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const server = await startWatchedServer(engine)
  const owner = await setUpOwner(server)
  const random = makeRandom(seed)
  const generate = makeGenerate(random, components.schemas)
  const counts = { requests: 0, '2xx': 0, '4xx': 0 }
  const problems = new Set<string>()
  for (let round = 0; counts.requests < times && problems.size < MAX_PROBLEMS; round++) {
    const tenant = await createTenant(server.call, `r${round}`)
    const person = await joinWorkspace(server.call, tenant.workspaceId, 'owner', `r${round}-owner@example.test`)
    const cookies = [owner, person].map(({ cookie }) => cookie())
    await inParallel(Math.min(ROUND, times - counts.requests), AT_ONCE, async () => {
      const [name, spec] = random.pick(routeTable)
      const valid = validRequest(name, spec, tenant, generate, random)
      const wrong = random.chance(0.7) ? mutate(valid, random) : valid
      const request = withCredentials(spec, wrong, tenant, cookies, random)
      const response = await send(server.baseUrl, name, request)
      counts.requests++
      if (response.status < 300) counts['2xx']++
      else if (response.status < 500) counts['4xx']++
      const problem = problemOf(name, response)
      if (problem) problems.add(`${problem} ← ${JSON.stringify(request).slice(0, 1000)}`)
    })
  }
  await answersStill(server, problems)
  return server.end({ counts, problems: [...problems] })
}

function problemOf(name: string, response: ApiResponse): string | null {
  if (response.status >= 500) return `${name}: ${response.status} ${response.text.slice(0, 200)}`
  if (general[response.status] && general[response.status] === response.body?.error?.code) return null
  return responseProblem(name, response)
}

async function answersStill({ call, createBot, output }: WatchedServer, problems: Set<string>) {
  const { botId, key } = await createBot({ documents: [{ title: 'Hours', text: 'We open at nine.' }] })
  const body = { bot_id: botId, message: 'When do you open?' }
  const response = await call('POST /api/v1/chat', { token: key, body })
  if (!response.body?.response?.includes('nine')) problems.add(`after all: ${response.status} ${response.text}`)
  for (const line of output().split('\n')) if (line.includes('"code":"internal"')) problems.add(line.slice(0, 1000))
}

function validRequest(name: string, spec: RouteSpec, tenant: Tenant, generate: Generate, random: Random): CallOptions {
  const [method = '', path = ''] = name.split(' ')
  const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {}
  // Most of what could be removed stays, so that other requests find it.
  const keeps = method === 'DELETE' && random.chance(0.8)
  const idOf = (param: string) => (keeps ? 'unknown' : String(tenant[param as keyof Tenant] ?? 'unknown'))
  const from = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && (parameter.required || random.chance(0.5)))
        .map(({ name, schema }) => [name.toLowerCase(), String(generate(schema))]),
    )
  const request: CallOptions = {
    params: Object.fromEntries(paramNames(name).map((param) => [param, idOf(param)])),
    query: from('query'),
    headers: from('header'),
  }
  if (spec.multipart) {
    const { headers, raw } = uploadForm(`${random.below(5)}.${random.pick(['txt', 'md', 'html', 'csv'])}`, '<p>Text, a')
    return { ...request, headers: { ...request.headers, ...headers }, raw }
  }
  const schema = requestBody?.content['application/json']?.schema
  return schema ? { ...request, body: namingOwn(generate(schema), tenant, random) } : request
}

/** Ids in a body are those that exist, mostly. */
function namingOwn(body: unknown, tenant: Tenant, random: Random): unknown {
  if (typeof body !== 'object' || body === null || random.chance(0.1)) return body
  const ownIds: Record<string, string> = {
    bot_id: tenant.botId,
    workspace_id: tenant.workspaceId,
    session_id: tenant.sessionId,
  }
  const fields = Object.keys(body).filter((field) => field in ownIds)
  return { ...body, ...Object.fromEntries(fields.map((field) => [field, ownIds[field]])) }
}

function withCredentials(spec: RouteSpec, request: CallOptions, tenant: Tenant, cookies: string[], random: Random) {
  const withHeaders = (headers: Record<string, string>, token?: string): CallOptions => ({
    ...request,
    token,
    headers: { ...request.headers, ...headers },
  })
  const session = { cookie: random.pick(cookies), 'sec-fetch-site': 'same-origin' }
  const managing = () =>
    random.pick([withHeaders({}, ADMIN_TOKEN), withHeaders({}, tenant.token), withHeaders(session)])
  const credentials: Record<Caller, () => CallOptions> = {
    management: managing,
    instance_owner: managing,
    session: () => withHeaders(session),
    chat_key: () => withHeaders({}, tenant.key),
    sync_key: () => withHeaders({ 'x-service-key': tenant.syncKey }),
    visitor: () => withHeaders({ 'x-visitor-token': tenant.visitorToken }),
    widget: () => withHeaders(random.chance(0.5) ? { 'x-visitor-token': tenant.visitorToken } : {}),
    operator: () => request,
    anyone: () => request,
  }
  return credentials[spec.caller]()
}
