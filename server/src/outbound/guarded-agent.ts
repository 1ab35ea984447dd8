// Connections that only reach addresses the guard lets through, checked as each connection is made.
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { bareHost } from './check-url.ts'
import { type Guard, RefusedUrl } from './guard.ts'

const CONNECT_TIMEOUT_MS = 5000
const KEEP_ALIVE_MS = 10_000

export function createGuardedAgent(guard: Guard): Agent {
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
        const refused = connectedElsewhere(guard, socket)
        if (!refused) return callback(null, socket)
        socket.destroy()
        callback(refused, null)
      })
    },
  })
}

function guardedLookup(guard: Guard): LookupFunction {
  return (host, options, callback) => {
    guard.addressesOf(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first) callback(new RefusedUrl('This host has no address.'), '')
        else if (options.all) callback(null, found)
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
