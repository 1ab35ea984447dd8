import { Readable } from 'node:stream'

type ServerSentEvent = [name: string, data: unknown]

/** Server-sent events as a stream that Fastify can send. */
export function eventStream(events: () => Iterable<ServerSentEvent>): Readable {
  function* lines() {
    for (const [name, data] of events()) yield `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  }
  return Readable.from(lines(), { objectMode: false })
}
