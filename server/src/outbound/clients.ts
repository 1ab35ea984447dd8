// Everything that needs the HTTP client, in one place: the first call loads it.

import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type RequestInit, fetch as undiciFetch } from 'undici'
import { makeFetchPage } from './fetch-page.ts'
import { bareHost, type Guard, parseUrl, RefusedUrl } from './guard.ts'
import { makeGuardedPost } from './post.ts'

export type Clients = ReturnType<typeof makeClients>

export function makeClients(guard: Guard, userAgent: string) {
  const agent = makeGuardedAgent(guard)
  return {
    fetch: makeGuardedFetch(agent),
    post: makeGuardedPost(agent),
    fetchPage: makeFetchPage(agent, userAgent),
    close: () => agent.destroy(),
  }
}

// Connections that only reach addresses the guard lets through, checked as each connection is made.

const CONNECT_TIMEOUT_MS = 5000
const KEEP_ALIVE_MS = 10_000

function makeGuardedAgent(guard: Guard): Agent {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup: guardedLookup(guard) })
  return new Agent({
    // No limit per host: many customers' endpoints share one, and one that hangs must not block the others.
    connections: null,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Caps the keep-alive time that the server asks for.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16 * 1024,
    connect(options, callback) {
      const host = bareHost(options.hostname)
      try {
        // IP literals are never looked up.
        if (isIP(host)) guard.check(host)
      } catch (error) {
        callback(error as Error, null)
        return
      }
      connect(options, (...outcome) => {
        const [error, socket] = outcome
        if (error) return callback(error, null)
        const refusal = connectedElsewhere(guard, socket)
        if (!refusal) return callback(null, socket)
        socket.destroy()
        callback(refusal, null)
      })
    },
  })
}

function guardedLookup(guard: Guard): LookupFunction {
  return (host, options, callback) => {
    guard.addressesOf(host).then(
      (addresses) => {
        const lookupResults = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = lookupResults
        if (!first) callback(new RefusedUrl('This host has no address.'), '')
        else if (options.all) callback(null, lookupResults)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

/** Checks the address actually connected to, however it was resolved. */
function connectedElsewhere(guard: Guard, socket: Socket): Error | null {
  try {
    guard.check(socket.remoteAddress ?? '')
    return null
  } catch (error) {
    return error as Error
  }
}

// `fetch` over guarded connections, for libraries that accept a custom fetch.

export type Fetch = typeof globalThis.fetch

/** Follows no redirects; the caller handles them. */
function makeGuardedFetch(agent: Agent): Fetch {
  return async (input, init) => {
    const url = parseUrl(input instanceof Request ? input.url : String(input))
    const redirect = init?.redirect === 'error' ? 'error' : 'manual'
    const response = await undiciFetch(url, { ...(init as RequestInit), redirect, dispatcher: agent })
    return response as unknown as Response
  }
}
