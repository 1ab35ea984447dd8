// Runs an action: fills in its request, signs it, sends it through the guarded connections, and reads JSON.
import { ACTION_RESPONSE_BYTES, type ActionAuth, type ActionFailure, type ActionRequest } from '@docent/contract'
import { MASK } from '../answers/understand/secrets.ts'
import type { Fetch } from '../outbound/clients.ts'
import { RefusedUrl } from '../outbound/guard.ts'
import type { ActionRecord } from '../storage/actions.ts'
import { VERSION } from '../version.ts'
import { signatures, signingKey, type WebhookSecrets } from '../webhooks/signing.ts'
import type { InputValues } from './inputs.ts'
import { type FilledRequest, fillRequest, visitorFields, visitorName } from './templates.ts'

const MAX_REDIRECTS = 3
const RETRY_AFTER_MS = 300
const SHORTEST_SECRET = 6
const RETRIED_STATUSES = [502, 503, 504]

export interface RunResult {
  failure: ActionFailure | null
  status: number | null
  durationMs: number
  /** Undefined if it failed. */
  response: unknown
}

/** `values` are the inputs and, by `visitorName`, what the site has proven of the visitor. */
export type RunAction = (action: ActionRecord, runId: string, values: InputValues) => Promise<RunResult>

interface Deps {
  fetch: Fetch
  secrets: WebhookSecrets
  openAuth: (action: ActionRecord) => ActionAuth | null
  timeoutMs: number
  clock: () => number
}

class RunFailure extends Error {
  readonly failure: ActionFailure
  readonly status: number | null

  constructor(failure: ActionFailure, status: number | null = null) {
    super(failure)
    this.failure = failure
    this.status = status
  }
}

export function makeRunAction({ fetch, secrets, openAuth, timeoutMs, clock }: Deps): RunAction {
  return async (action, runId, values) => {
    const startTime = performance.now()
    const signal = AbortSignal.timeout(timeoutMs)
    const elapsedMs = () => Math.round(performance.now() - startTime)
    try {
      const filledRequest = action.request && fillRequest(action.request, requireVisitor(action.request, values))
      if (!filledRequest) throw new RunFailure('invalid_request')
      const auth = openAuth(action)
      const credentials = authHeaders(action, auth)
      const send = () => request(action, runId, filledRequest, credentials, secretsOf(auth), signal)
      const { status, response } = await send().catch(async (error: unknown) => {
        // Anything else than reading might then happen twice.
        if (filledRequest.method !== 'GET' || signal.aborted || !isTransient(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
        return send()
      })
      return { failure: null, status, durationMs: elapsedMs(), response }
    } catch (error) {
      const { failure, status } = signal.aborted ? new RunFailure('timeout') : toFailure(error)
      return { failure, status, durationMs: elapsedMs(), response: undefined }
    }
  }

  async function request(
    action: ActionRecord,
    runId: string,
    filledRequest: FilledRequest,
    credentials: Record<string, string>,
    secretTexts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ status: number; response: unknown }> {
    const { method, body } = filledRequest
    const first = new URL(filledRequest.url)
    let url = first
    let isOwn = true
    for (let redirectsLeft = MAX_REDIRECTS; ; redirectsLeft--) {
      // Another host gets neither the credentials nor a signature that it could pass on, nor may it lead them anywhere.
      isOwn &&= url.origin === first.origin
      const response = await fetch(url, {
        method,
        body,
        signal,
        headers: {
          ...(isOwn ? filledRequest.headers : {}),
          accept: 'application/json',
          'user-agent': `Docent-Actions/${VERSION}`,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...(isOwn ? { ...credentials, ...signedHeaders(action, runId, body ?? '') } : {}),
        },
      })
      const location = isRedirect(response.status) ? response.headers.get('location') : null
      if (location === null) return { status: response.status, response: await readJson(response, secretTexts) }
      await response.body?.cancel()
      if (method !== 'GET' || redirectsLeft === 0 || !URL.canParse(location, url))
        throw new RunFailure('redirected', response.status)
      url = new URL(location, url)
    }
  }

  function signedHeaders(action: ActionRecord, runId: string, body: string): Record<string, string> {
    const seconds = Math.floor(clock() / 1000)
    const keys = secrets.open(action, clock()).map(signingKey)
    return {
      'webhook-id': runId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatures(keys, runId, seconds, Buffer.from(body)),
    }
  }
}

/** Nothing takes the place of an unknown visitor: `?email=` might mean everybody. */
function requireVisitor(request: ActionRequest, values: InputValues): InputValues {
  const isKnown = visitorFields(request).every((field) => values[visitorName(field)])
  if (!isKnown) throw new RunFailure('visitor_unknown')
  return values
}

function authHeaders({ authShape }: ActionRecord, auth: ActionAuth | null): Record<string, string> {
  if (!authShape) return {}
  if (!auth) throw new RunFailure('auth_missing')
  if (auth.type === 'bearer') return { authorization: `Bearer ${auth.token}` }
  if (auth.type === 'header') return { [auth.name.toLowerCase()]: auth.value }
  return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
}

/** What must not come back: some servers repeat the headers that they got. */
function secretsOf(auth: ActionAuth | null): string[] {
  if (!auth) return []
  const texts = auth.type === 'bearer' ? [auth.token] : auth.type === 'header' ? [auth.value] : [auth.password]
  const encodedCredentials =
    auth.type === 'basic' ? [Buffer.from(`${auth.username}:${auth.password}`).toString('base64')] : []
  // Shorter ones are likely to be words.
  return [...texts, ...encodedCredentials].filter((text) => text.length >= SHORTEST_SECRET)
}

async function readJson(response: Response, secretTexts: readonly string[]): Promise<unknown> {
  const { status, body, headers } = response
  if (status < 200 || status >= 300) {
    await body?.cancel()
    throw new RunFailure('http_status', status)
  }
  if (status === 204 || body === null) return null
  const type = headers.get('content-type') ?? ''
  if (!/^[^;]*[/+]json\s*(;|$)/i.test(type)) {
    await body.cancel()
    throw new RunFailure('not_json', status)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > ACTION_RESPONSE_BYTES) throw new RunFailure('too_large', status)
    chunks.push(chunk)
  }
  try {
    const text = Buffer.concat(chunks).toString('utf8')
    return JSON.parse(secretTexts.reduce((rest, secret) => rest.replaceAll(secret, MASK), text))
  } catch {
    throw new RunFailure('not_json', status)
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof RunFailure)) return toFailure(error).failure === 'unreachable'
  return error.failure === 'http_status' && RETRIED_STATUSES.includes(error.status ?? 0)
}

/** Never the words of the error, which may tell of internal addresses. */
function toFailure(error: unknown): RunFailure {
  if (error instanceof RunFailure) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedUrl) return new RunFailure('refused_address')
  return new RunFailure('unreachable')
}
