// Server-sent events. The response starts with the first event, so that earlier failures get a normal error response.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export function createEventStream(reply: FastifyReply) {
  let body: Readable | null = null

  function write(event: string) {
    if (!body) {
      body = new Readable({ read() {} })
      reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        // Keeps nginx from buffering.
        .header('x-accel-buffering', 'no')
        .send(body)
    }
    if (!body.destroyed) body.push(`${event}\n\n`)
  }

  function end() {
    if (body && !body.destroyed) body.push(null)
  }

  return {
    hasBegun: () => body !== null,
    send: (name: string, data: unknown) => write(`event: ${name}\ndata: ${JSON.stringify(data)}`),
    /** An unnamed event. */
    sendData: (data: string) => write(`data: ${data}`),
    end,
  }
}
