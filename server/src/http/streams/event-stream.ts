// Server-sent events. The answer begins with the first one, so that what fails before is an error like any other.
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
        // Or nginx would gather the pieces before it passes them on.
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
    /** An event without a name. */
    sendData: (data: string) => write(`data: ${data}`),
    end,
  }
}
