// Connections cost memory before their caller is known, and responses until they are read. Limits both per address
// (IPv6: per network), and closes connections that leave responses unread.
import type { ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../access/rate-limits.ts'
import { STREAM_BYTES } from './downloads.ts'

interface Limits {
  perAddress: number
  /** How long a response may make no progress. */
  unreadMs: number
  /** Memory for responses that are not read yet. */
  unreadBytes: number
  unreadBytesPerAddress: number
  /** Exempt: their connections serve many callers. */
  trustedProxies: string[]
}

interface Connection {
  socket: Socket
  takenBytes: number
  /** Last progress of its current response. */
  since: number
  unread: Set<UnreadResponse>
}

declare module 'fastify' {
  interface FastifyReply {
    /** For responses whose content is still to be read. Throws when there is no room. */
    reserveMemory(bytes: number): void
  }
}

interface UnreadResponse {
  network: string
  bytes: number
}

const CHECKS_PER_LIMIT = 4
// A client that reads a few bytes now and then makes no progress.
const LEAST_PROGRESS_BYTES = 1024
// When memory is short, a response that stands still this long makes room for another.
const STALLED_MS = 1000
// Smaller responses are bounded by the number of connections.
const COUNTED_BYTES = 4096

export function limitConnections(server: FastifyInstance, limits: Limits) {
  const { perAddress, unreadMs, trustedProxies } = limits
  const open = new Map<Socket, Connection>()
  const counts = new Map<string, number>()
  const isProxy = addressMatcher(trustedProxies)
  const memory = makeResponseMemory(open, limits)

  server.server.on('connection', (socket) => {
    const ip = socket.remoteAddress ?? ''
    const network = networkOf(ip)
    const count = (counts.get(network) ?? 0) + 1
    if (count > perAddress && !isProxy(ip)) {
      socket.destroy()
      return
    }
    counts.set(network, count)
    const connection: Connection = { socket, takenBytes: 0, since: performance.now(), unread: new Set() }
    open.set(socket, connection)
    socket.once('close', () => {
      memory.releaseAll(connection)
      open.delete(socket)
      const remaining = (counts.get(network) ?? 1) - 1
      if (remaining > 0) counts.set(network, remaining)
      else counts.delete(network)
    })
  })

  // What closed connections held is freed when they have ended: until then, nobody fills the room that they left.
  server.addHook('onRequest', (_request, _reply, done) => memory.afterClosing(done))

  server.decorateReply('reserveMemory', function (this: FastifyReply, bytes: number) {
    if (!memory.reserve(this.request, this, bytes)) throw noRoom(this)
  })

  server.addHook('onSend', (request, reply, payload, done) => {
    const isStream = payload instanceof Readable
    if (request.method === 'HEAD') {
      // Fastify would read all of it to throw it away.
      if (isStream) payload.destroy()
      done(null, isStream ? Readable.from([]) : payload)
      return
    }
    const bytes = memoryOf(payload, reply)
    if (bytes < COUNTED_BYTES || memory.reserve(request, reply, bytes)) {
      done(null, payload)
      return
    }
    if (isStream) payload.destroy()
    done(noRoom(reply))
  })

  const unreadCheck = setInterval(() => {
    const now = performance.now()
    for (const connection of open.values())
      if (now - lastProgress(connection, now) > unreadMs) connection.socket.destroy()
  }, unreadMs / CHECKS_PER_LIMIT)
  unreadCheck.unref()
  server.addHook('onClose', async () => clearInterval(unreadCheck))
}

function noRoom(reply: FastifyReply): Fault {
  for (const name of ['cache-control', 'content-disposition']) reply.removeHeader(name)
  return new Fault('rate_limited', { headers: { 'retry-after': '1' } })
}

/** Bytes of responses that their callers have not read, by network. Counted until the response has been handed over. */
function makeResponseMemory(open: Map<Socket, Connection>, { unreadBytes, unreadBytesPerAddress }: Limits) {
  const byNetwork = new Map<string, number>()
  /** Connections with unread responses. */
  const holders = new Set<Connection>()
  const reservedResponses = new WeakSet<ServerResponse>()
  const waiting: (() => void)[] = []
  let closing = 0
  let total = 0

  function release(connection: Connection, response: UnreadResponse) {
    if (!connection.unread.delete(response)) return
    if (connection.unread.size === 0) holders.delete(connection)
    total -= response.bytes
    const remainingBytes = (byNetwork.get(response.network) ?? 0) - response.bytes
    if (remainingBytes > 0) byNetwork.set(response.network, remainingBytes)
    else byNetwork.delete(response.network)
  }

  function releaseAll(connection: Connection) {
    for (const response of connection.unread) release(connection, response)
  }

  /** Closes the connection that has been unread for longest, if long enough. */
  function closeStalled(network: string | null, leastMs: number): boolean {
    const now = performance.now()
    let victim: Connection | undefined
    let longestMs = leastMs
    for (const connection of holders) {
      if (network !== null && !isOf(connection, network)) continue
      const stalledMs = now - lastProgress(connection, now)
      if (stalledMs < longestMs) continue
      victim = connection
      longestMs = stalledMs
    }
    if (!victim) return false
    releaseAll(victim)
    closing++
    victim.socket.once('close', () => {
      if (--closing === 0) for (const proceed of waiting.splice(0)) proceed()
    })
    victim.socket.destroy()
    return true
  }

  function hasRoom(network: string, bytes: number): boolean {
    const networkCount = byNetwork.get(network) ?? 0
    // One response may be larger than the limit.
    while (networkCount > 0 && (byNetwork.get(network) ?? 0) + bytes > unreadBytesPerAddress)
      if (!closeStalled(network, STALLED_MS)) return false
    while (total > 0 && total + bytes > unreadBytes) {
      if (closeStalled(null, STALLED_MS)) continue
      const [greediest, most] = largestOf(byNetwork)
      // Nobody's downloads may keep others from theirs.
      if (most <= (byNetwork.get(network) ?? 0) + bytes || !closeStalled(greediest, 0)) return false
    }
    return true
  }

  return {
    releaseAll,
    afterClosing(proceed: () => void) {
      if (closing === 0) proceed()
      else waiting.push(proceed)
    },
    reserve(request: FastifyRequest, { raw }: FastifyReply, bytes: number): boolean {
      const connection = open.get(request.raw.socket)
      // Injected requests have no connection.
      if (!connection || reservedResponses.has(raw)) return true
      const network = networkOf(request.ip)
      if (!hasRoom(network, bytes)) return false
      const response = { network, bytes }
      if (connection.unread.size === 0) connection.since = performance.now()
      connection.unread.add(response)
      holders.add(connection)
      reservedResponses.add(raw)
      total += bytes
      byNetwork.set(network, (byNetwork.get(network) ?? 0) + bytes)
      raw.once('close', () => release(connection, response))
      return true
    },
  }
}

/** A stream holds a few pieces at a time. */
function memoryOf(payload: unknown, reply: FastifyReply): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (payload instanceof Uint8Array) return payload.byteLength
  if (!(payload instanceof Readable)) return 0
  const length = Number(reply.getHeader('content-length') ?? Number.POSITIVE_INFINITY)
  return Math.min(length, STREAM_BYTES)
}

/** When the client last took a part of a response, or had none to take. */
function lastProgress(connection: Connection, now: number): number {
  const { socket } = connection
  const takenBytes = socket.bytesWritten - socket.writableLength - queuedBytes(socket)
  if (socket.writableLength === 0 || takenBytes - connection.takenBytes >= LEAST_PROGRESS_BYTES) {
    connection.takenBytes = takenBytes
    connection.since = now
  }
  return connection.since
}

function isOf({ unread }: Connection, network: string): boolean {
  for (const response of unread) if (response.network === network) return true
  return false
}

function largestOf(byNetwork: Map<string, number>): [network: string, bytes: number] {
  let largest: [string, number] = ['', 0]
  for (const entry of byNetwork) if (entry[1] > largest[1]) largest = entry
  return largest
}

/** Includes bytes of a write in progress: a large file is one write. */
function queuedBytes(socket: Socket): number {
  return (socket as Socket & { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0
}

function addressMatcher(networks: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
    return plain !== '' && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}
