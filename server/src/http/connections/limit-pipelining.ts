// Node reads all requests that arrive in one packet before anyone else gets a turn, and keeps their responses in
// memory until they are read. Browsers, proxies and HTTP libraries send one at a time.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const MAX_UNANSWERED = 10

/** Closes connections with too many unanswered requests. Call before other hooks, which would handle them first. */
export function limitPipelining(server: FastifyInstance) {
  const unanswered = new WeakMap<Socket, number>()
  server.addHook('onRequest', (request, reply, next) => {
    const { socket } = request.raw
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    if (count <= MAX_UNANSWERED) return next()
    socket.destroy()
    reply.hijack()
  })
}
