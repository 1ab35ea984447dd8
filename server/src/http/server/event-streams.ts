// Server-sent events. The response starts with the first event, so that earlier failures get a normal error response.
import { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, logFault, toFault } from './errors.ts'

export function openEventStream(reply: FastifyReply) {
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

// Long-lived server-sent events: kept alive, and closed when the client does not read.

const ALIVE_MS = 25_000
const MAX_UNREAD_BYTES = 256 * 1024

export interface LiveStream {
  send(name: string, data: unknown, id?: string): void
  end(): void
  onEnd(then: () => void): void
  isOpen(): boolean
}

export interface LiveStreams {
  open(reply: FastifyReply): LiveStream
}

export function openLiveStreams(server: FastifyInstance, aliveMs = ALIVE_MS): LiveStreams {
  const open = new Set<Line>()
  const keepAlive = setInterval(() => {
    for (const raw of open) write(raw, ': \n\n')
  }, aliveMs)
  keepAlive.unref()
  // Otherwise closing would wait for them.
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
        // Keeps nginx from buffering.
        'x-accel-buffering': 'no',
        'x-request-id': reply.request.id,
      })
      // HEAD has no stream; pipelined behind another response it would stay open.
      if (reply.request.method === 'HEAD') raw.end()
      else {
        write(raw, ': open\n\n')
        open.add(raw)
        raw.once('close', () => open.delete(raw))
      }
      return {
        send: (name, data, id) =>
          write(raw, `${id ? `id: ${id}\n` : ''}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
        end: () => void raw.end(),
        // The caller may have disconnected before the stream was ready.
        onEnd: (then) => (isOpen(raw) ? void raw.once('close', then) : then()),
        isOpen: () => isOpen(raw),
      }
    },
  }
}

type Line = FastifyReply['raw']

function isOpen(raw: Line): boolean {
  return !raw.writableEnded && !raw.destroyed
}

function write(raw: Line, text: string) {
  if (!isOpen(raw)) return
  raw.write(text)
  if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy()
}

/** Aborts when the caller disconnects before the response is complete. */
export function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

// An answer as server-sent events: `start`, any number of `delta`, then `done` or `error`.

interface StreamWriter {
  start: (turn: object) => void
  text: (text: string) => void
}

interface StreamedAnswer<Answer> {
  /** Reports text before the answer is complete. */
  run: (writer: StreamWriter) => Promise<Answer>
  /** Content of `start`, when nothing was streamed before the answer. */
  start: (answer: Answer) => object
  text: (answer: Answer) => string
  onFault?: (status: number, body: ReturnType<typeof errorBody>) => Promise<void>
}

export async function streamAnswer<Answer>(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: StreamedAnswer<Answer>,
): Promise<FastifyReply> {
  const events = openEventStream(reply)
  let sentText = ''
  let isStarted = false
  const start = (turn: object) => {
    isStarted = true
    events.send('start', turn)
  }
  try {
    const answer = await stream.run({
      start,
      text(text) {
        sentText += text
        events.send('delta', { text })
      },
    })
    if (!isStarted) start(stream.start(answer))
    // A language model's text was streamed as it came; what else there is to say is sent word by word.
    const text = stream.text(answer)
    const pieces = text.startsWith(sentText) ? text.slice(sentText.length).match(/\S+\s*|\s+/g) : []
    for (const piece of pieces ?? []) events.send('delta', { text: piece })
    events.send('done', answer)
  } catch (error) {
    // Errors before the first event get a normal error response.
    if (!events.hasBegun()) throw error
    const fault = toFault(error)
    const body = errorBody(fault, request.id)
    logFault(fault, request)
    await stream.onFault?.(fault.status, body)
    // The status line has already been sent.
    events.send('error', { ...body.error, status: fault.status })
  }
  events.end()
  return reply
}

export function requireAcceptable(request: FastifyRequest, type: string) {
  const { accept } = request.headers
  if (!accept) return
  const family = `${type.split('/')[0]}/*`
  const isAccepted = accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !isRefused && (name === type || name === family || name === '*/*')
  })
  if (!isAccepted) throw new Fault('not_acceptable')
}
