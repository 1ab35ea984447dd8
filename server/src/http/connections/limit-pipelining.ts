// Node parses all requests of a packet before anyone else gets a turn, and keeps their responses in memory until they
// are read. Browsers, proxies and HTTP libraries send one at a time.
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

const MAX_UNANSWERED = 10

/** Closes connections with too many unanswered requests. Call last, so that it comes before all other listeners. */
export function limitPipelining(server: Server) {
  const unanswered = new WeakMap<Socket, number>()
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    // What is left of the packet is parsed even so.
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > MAX_UNANSWERED) {
      socket.destroy()
      return
    }
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    for (const listener of listeners) listener(request, response)
  })
}
