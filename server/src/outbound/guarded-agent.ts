// Connections that only reach addresses the guard lets through, checked as each connection is made.
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { bareHost } from './check-url.ts'
import { type Guard, RefusedUrl } from './guard.ts'

export interface AgentLimits {
  connections?: number
  connectTimeoutMs?: number
  keepAliveMs?: number
  pipelining?: number
}

export function guardedAgent(guard: Guard, limits: AgentLimits = {}): Agent {
  const { connections = 16, connectTimeoutMs = 5000, keepAliveMs = 10_000 } = limits
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup: guardedLookup(guard) })
  return new Agent({
    connections,
    keepAliveTimeout: keepAliveMs,
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
        if (!first) callback(new RefusedUrl('The host has no address.'), '')
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
