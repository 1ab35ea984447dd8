// An answer as server-sent events: `start`, any number of `delta`, then `done` or `error`.
import { Fault } from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, logFault, toFault } from './errors.ts'
import { openEventStream } from './event-streams.ts'

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
