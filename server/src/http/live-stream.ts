// Server-sent events that stay open: a line kept alive, and nothing kept for who does not read.
import type { FastifyInstance, FastifyReply } from 'fastify'

const ALIVE_MS = 25_000
const MOST_UNREAD_BYTES = 256 * 1024

export interface LiveStream {
  send(name: string, data: unknown, id?: string): void
  end(): void
  onEnd(then: () => void): void
  isOpen(): boolean
}

export interface LiveStreams {
  open(reply: FastifyReply): LiveStream
}

export function liveStreams(server: FastifyInstance): LiveStreams {
  const open = new Set<FastifyReply['raw']>()
  const keepAlive = setInterval(() => {
    for (const raw of open) raw.write(': \n\n')
  }, ALIVE_MS)
  keepAlive.unref()
  // Or closing would wait for them.
  server.addHook('preClose', async () => {
    clearInterval(keepAlive)
    for (const raw of open) raw.end()
  })

  return {
    open(reply) {
      const { raw } = reply
      reply.hijack()
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Or nginx would gather the pieces before it passes them on.
        'x-accel-buffering': 'no',
        'x-request-id': reply.request.id,
      })
      if (reply.request.method === 'HEAD') raw.end()
      else raw.write(': open\n\n')
      open.add(raw)
      raw.once('close', () => open.delete(raw))
      return {
        send(name, data, id) {
          if (raw.writableEnded || raw.destroyed) return
          raw.write(`${id ? `id: ${id}\n` : ''}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
          if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy()
        },
        end: () => void raw.end(),
        onEnd: (then) => void raw.once('close', then),
        isOpen: () => !raw.writableEnded && !raw.destroyed,
      }
    },
  }
}
