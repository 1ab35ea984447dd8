// Streams a chat completion as the server-sent events that OpenAI clients read.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerCall } from '../../answer-call.ts'
import { logFault, openAiErrorBody, toFault } from '../../errors.ts'
import { createEventStream } from '../../streams/event-stream.ts'
import { annotatedLinks, type CompletionHead, completionId, docentFields, noUsage } from './completion-answer.ts'

interface CompletionCall {
  head: CompletionHead
  answer: AnswerCall
  /** Whether the last chunk reports usage. */
  withUsage: boolean
}

export async function streamCompletion(
  request: FastifyRequest,
  reply: FastifyReply,
  { head, answer, withUsage }: CompletionCall,
): Promise<FastifyReply> {
  const events = createEventStream(reply)
  let id: string | null = null
  let sentText = ''

  function send(choices: object[], more: object = {}) {
    events.sendData(JSON.stringify({ id, object: 'chat.completion.chunk', ...head, choices, ...more }))
  }
  function begin(messageId: string) {
    id = completionId(messageId)
    send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
  }
  function sendText(text: string) {
    sentText += text
    if (text !== '') send([{ index: 0, delta: { content: text }, finish_reason: null }])
  }

  try {
    const answered = await answer({ onStart: ({ messageId }) => begin(messageId), onText: sendText })
    if (id === null) begin(answered.message_id)
    const { response, sources } = answered
    // Text already sent cannot be withdrawn: if the language model failed midway, the replacement follows it.
    sendText(response.startsWith(sentText) ? response.slice(sentText.length) : `\n\n${response}`)
    const { text, annotations } = annotatedLinks(sources, sentText.length)
    sendText(text)
    const delta = annotations.length > 0 ? { annotations } : {}
    send([{ index: 0, delta, finish_reason: 'stop' }], docentFields(answered))
    if (withUsage) send([], { usage: noUsage })
    events.sendData('[DONE]')
  } catch (error) {
    // Errors before the first event get a normal error response.
    if (!events.hasBegun()) throw error
    const fault = toFault(error)
    const body = openAiErrorBody(fault, request.id)
    logFault(fault, request)
    await request.mirrorEnd(reply, fault.status, body)
    events.sendData(JSON.stringify(body))
  }
  events.end()
  return reply
}
