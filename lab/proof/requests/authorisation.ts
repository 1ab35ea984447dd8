// Every operation of the table asked by every kind of caller: who must be refused is refused with the right code, who
// may is let in, and what belongs to another workspace is as unknown as what was never made.
import type { RouteSpec } from '@docent/contract'
import type { ApiResponse, CallOptions } from '../../../server/test/harness/call.ts'
import { paramNames, routeTable, sampleRequest } from '../../../server/test/harness/samples/route-samples.ts'
import { createTenant, type Tenant } from '../../../server/test/harness/tenants.ts'
import { inParallel, type PartOptions, type PartResult, startWatchedServer } from '../part.ts'
import { makeCallers, type TestCaller } from './callers.ts'
import { type Expected, expectedAnswer } from './expected-answer.ts'
import { makeRandom } from './random.ts'
import { send } from './send.ts'

const AT_ONCE = 8
/** What a caller is told who was not let in. */
const refusals = [
  ...['invalid_api_key', 'invalid_sync_key', 'invalid_management_token', 'invalid_visitor_token'],
  ...['role_required', 'cross_site_request', 'bot_not_found'],
]

/** With fewer times than there are pairs of operation and caller, as many of them as the seed picks. */
export async function tryEveryCaller({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const server = await startWatchedServer(engine)
  const ownTenant = await createTenant(server.call, 'alpha')
  const other = await createTenant(server.call, 'bravo')
  const callers = await makeCallers(server, ownTenant, other)
  const problems: string[] = []
  const counts = { operations: routeTable.length, callers: callers.length, requests: 0, 'let in': 0, refused: 0 }
  const random = makeRandom(seed)
  const all = endLast(routeTable).flatMap(([name, spec]) => callers.map((caller) => ({ name, spec, caller })))
  const pairs = all.filter(() => random.chance(times / all.length))
  await inParallel(pairs.length, AT_ONCE, async (n) => {
    const pair = pairs[n]
    if (!pair) return
    const { name, spec, caller } = pair
    const expectation = expectedAnswer(name, spec, caller)
    const request = requestOf(name, spec, caller, expectation, ownTenant)
    const answer = await send(server.baseUrl, name, request)
    counts.requests++
    counts[expectation === 'let in' ? 'let in' : 'refused']++
    const problem = problemOf(answer, expectation, request)
    if (problem) problems.push(`${name}, ${caller.name}: ${problem}`)
  })
  return server.end({ counts, problems })
}

/** Logging out ends the session that the others ask with. */
function endLast(table: typeof routeTable): typeof routeTable {
  const ends = ([name]: (typeof routeTable)[number]) => name === 'DELETE /api/manage/v1/session'
  return [...table.filter((row) => !ends(row)), ...table.filter(ends)]
}

function problemOf({ status, body, text }: ApiResponse, expectation: Expected, { params }: CallOptions): string | null {
  const code = body?.error?.code
  const outcome = `${status} ${code ?? ''}`
  if (expectation === 'let in') {
    const isRefused = refusals.includes(code) && !(code === 'bot_not_found' && params?.botId === 'unknown')
    return status >= 500 || isRefused ? `${outcome} instead of being let in` : null
  }
  if (status === expectation.status && code === expectation.code) return null
  return `${outcome} instead of ${expectation.status} ${expectation.code} (${text.slice(0, 100)})`
}

/** Who is let in must not take away what others ask for, so what it removes or ends is something unknown. */
function requestOf(
  name: string,
  spec: RouteSpec,
  caller: TestCaller,
  expectation: Expected,
  ownTenant: Tenant,
): CallOptions {
  const { token, headers } = caller.credentials
  const params = Object.fromEntries(
    paramNames(name).map((param) => [param, ownTenant[param as keyof Tenant] ?? 'unknown']),
  )
  const last = paramNames(name).at(-1)
  const sample = { ...sampleRequest(spec), params }
  if (spec.caller === 'chat_key') sample.body = { bot_id: ownTenant.botId, message: 'Who may ask?' }
  if (expectation === 'let in' && takesAway(name)) {
    // No body is as good as a wrong one; with an unknown id there is nothing to end.
    if (last === undefined || last === 'botId') sample.body = []
    if (last !== undefined) params[last] = 'unknown'
  }
  return { ...sample, token, headers: { ...sample.headers, ...headers } }
}

function takesAway(name: string): boolean {
  return /^DELETE (?!.*\/generated-questions$)|\/(revoke|rotate|sync-key|rotate-secret|password|two-factor|email)$|^PATCH .*\/(members|session)/.test(
    name,
  )
}
