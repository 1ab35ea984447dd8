// An answer as server-sent events: `start`, any number of `delta`, then `done` or `error`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, logFault, toFault } from '../errors.ts'
import { createEventStream } from './event-stream.ts'

interface Teller {
  start: (turn: object) => void
  text: (text: string) => void
}

interface Answering<Answer> {
  /** Reports text before the answer is complete. */
  run: (teller: Teller) => Promise<Answer>
  /** Content of `start`, when nothing was streamed before the answer. */
  start: (answer: Answer) => object
  text: (answer: Answer) => string
  onFault?: (status: number, body: ReturnType<typeof errorBody>) => Promise<void>
}

export async function streamAnswer<Answer>(
  request: FastifyRequest,
  reply: FastifyReply,
  answering: Answering<Answer>,
): Promise<FastifyReply> {
  const events = createEventStream(reply)
  let told = false
  let started = false
  const start = (turn: object) => {
    started = true
    events.send('start', turn)
  }
  try {
    const answer = await answering.run({
      start,
      text(text) {
        told = true
        events.send('delta', { text })
      },
    })
    if (!started) start(answering.start(answer))
    // A language model's text was streamed as it came; other answers are sent word by word.
    const pieces = told ? [] : answering.text(answer).match(/\S+\s*|\s+/g)
    for (const text of pieces ?? []) events.send('delta', { text })
    events.send('done', answer)
  } catch (error) {
    // Errors before the first event get a normal error response.
    if (!events.hasBegun()) throw error
    const fault = toFault(error)
    const body = errorBody(fault, request.id)
    logFault(fault, request)
    await answering.onFault?.(fault.status, body)
    // The status line has already been sent.
    events.send('error', { ...body.error, status: fault.status })
  }
  events.end()
  return reply
}
