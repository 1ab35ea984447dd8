// One request and its answer; a stream that would not end is left as soon as it has begun.
import type { ApiResponse, CallOptions } from '../../../server/test/harness/call.ts'

export async function send(baseUrl: string, route: string, options: CallOptions): Promise<ApiResponse> {
  const { token, params = {}, query = {}, headers = {}, body, raw } = options
  const [method = '', path = ''] = route.split(' ')
  // A name that is only dots would be resolved away by the client, and reach another route.
  const part = (name: string) => encodeURIComponent(wellFormed(params[name] ?? '')).replace(/^\.{1,2}$/, 'x')
  const url = new URL(baseUrl + path.replace(/\{(\w+)\}/g, (_, name) => part(name)))
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const takesBody = method !== 'GET'
  const payload = takesBody ? (raw ?? (body === undefined ? undefined : JSON.stringify(body))) : undefined
  const leave = new AbortController()
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: leave.signal,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, sendable(value)])),
    },
    ...(payload === undefined ? {} : { body: payload as string }),
  })
  const endless = method === 'GET' && response.headers.get('content-type')?.startsWith('text/event-stream')
  const text = endless ? '' : await response.text()
  if (endless) leave.abort()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    cookies: response.headers.getSetCookie(),
    text,
    body: parse(text),
  }
}

/** What a client can put into a header at all. */
function sendable(value: string): string {
  return value.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').trim()
}

function wellFormed(text: string): string {
  return text.toWellFormed()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
