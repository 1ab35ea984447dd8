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
    // Not limited by host: many customers' endpoints share one, and one that hangs must not take it from the others.
    connections: null,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // What the other side asks for does not hold a connection longer.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16 * 1024,
    connect(options, callback) {
      const host = bareHost(options.hostname)
      try {
        // An address as such is never looked up.
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

/** Whatever happened on the way, the other end is what counts. */
function connectedElsewhere(guard: Guard, socket: Socket): Error | null {
  try {
    guard.check(socket.remoteAddress ?? '')
    return null
  } catch (error) {
    return error as Error
  }
}
