// Calls the API over real HTTP, by the route names of the contract.
import type { RouteName } from '@docent/contract'

export interface CallOptions {
  token?: string | undefined
  params?: Record<string, string>
  query?: Record<string, string | number>
  headers?: Record<string, string>
  body?: unknown
  /** Sent as is, instead of `body` as JSON. */
  raw?: string | Uint8Array
}

export interface ApiResponse {
  status: number
  headers: Record<string, string>
  /** All `Set-Cookie` headers. */
  cookies: string[]
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

export type Call = (route: RouteName | (string & {}), options?: CallOptions) => Promise<ApiResponse>

export function makeCall(baseUrl: string): Call {
  return async (route, { token, params = {}, query = {}, headers = {}, body, raw } = {}) => {
    const [method, path] = route.split(' ') as [string, string]
    const url = new URL(baseUrl + path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '')))
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(url, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload as string }),
    })
    const text = await response.text()
    const cookies = response.headers.getSetCookie()
    const responseHeaders = {
      ...Object.fromEntries(response.headers),
      ...(cookies[0] ? { 'set-cookie': cookies[0] } : {}),
    }
    return { status: response.status, headers: responseHeaders, cookies, text, body: parse(text) }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
