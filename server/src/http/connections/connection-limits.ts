// Connections cost memory before their caller is known: limits them per address (IPv6: per network), and closes those
// that leave responses unread.
import type { Socket } from 'node:net'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../access/network-of.ts'

interface Limits {
  perAddress: number
  /** How long a response may make no progress. */
  unreadMs: number
  /** Exempt: their connections serve many callers. */
  trustedProxies: string[]
}

interface Progress {
  takenBytes: number
  since: number
}

const LOOKS_PER_LIMIT = 4

export function limitConnections(server: FastifyInstance, { perAddress, unreadMs, trustedProxies }: Limits) {
  const open = new Map<Socket, Progress>()
  const counts = new Map<string, number>()
  const isProxy = addressMatcher(trustedProxies)

  server.server.on('connection', (socket) => {
    const ip = socket.remoteAddress ?? ''
    const network = networkOf(ip)
    const count = (counts.get(network) ?? 0) + 1
    if (count > perAddress && !isProxy(ip)) {
      socket.destroy()
      return
    }
    counts.set(network, count)
    open.set(socket, { takenBytes: 0, since: performance.now() })
    socket.once('close', () => {
      open.delete(socket)
      const left = (counts.get(network) ?? 1) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  })

  const looking = setInterval(() => {
    const now = performance.now()
    for (const [socket, progress] of open) {
      const takenBytes = socket.bytesWritten - socket.writableLength - queuedBytes(socket)
      if (socket.writableLength === 0 || takenBytes !== progress.takenBytes) {
        progress.takenBytes = takenBytes
        progress.since = now
      } else if (now - progress.since > unreadMs) socket.destroy()
    }
  }, unreadMs / LOOKS_PER_LIMIT)
  looking.unref()
  server.addHook('onClose', async () => clearInterval(looking))
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
