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
  streamed: StreamedAnswer<Answer>,
): Promise<FastifyReply> {
  const events = openEventStream(reply)
  let hasSentText = false
  let started = false
  const start = (turn: object) => {
    started = true
    events.send('start', turn)
  }
  try {
    const answer = await streamed.run({
      start,
      text(text) {
        hasSentText = true
        events.send('delta', { text })
      },
    })
    if (!started) start(streamed.start(answer))
    // A language model's text was streamed as it came; other answers are sent word by word.
    const pieces = hasSentText ? [] : streamed.text(answer).match(/\S+\s*|\s+/g)
    for (const text of pieces ?? []) events.send('delta', { text })
    events.send('done', answer)
  } catch (error) {
    // Errors before the first event get a normal error response.
    if (!events.hasBegun()) throw error
    const fault = toFault(error)
    const body = errorBody(fault, request.id)
    logFault(fault, request)
    await streamed.onFault?.(fault.status, body)
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
  const accepted = accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !refused && (name === type || name === family || name === '*/*')
  })
  if (!accepted) throw new Fault('not_acceptable')
}
