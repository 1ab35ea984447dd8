// The chat API for clients of OpenAI's responses: POST /v1/chat/completions in another format.
import type { ChatResponse, InputItem, ResponsesRequest, ResponsesResponse } from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type AnswerCall, makeAnswerCall, sourceLinks } from './chat.ts'
import type { Modules } from './modules.ts'
import { type BotRequest, docentFields, invalid, readBotRequest } from './openai.ts'
import { logFault, openAiErrorBody, toFault } from './server/errors.ts'
import { openEventStream } from './server/event-streams.ts'
import type { Route } from './server/route.ts'

export function responsesRoutes(route: Route, { clock }: Context, { conversations }: Pick<Modules, 'conversations'>) {
  route('POST /v1/responses', async (incoming) => {
    const { caller, body, request, reply } = incoming
    const { chatRequest, history } = readResponsesRequest(body, caller.botId)
    const answer = makeAnswerCall(conversations.answerChat, incoming, chatRequest, history)
    const head = {
      model: caller.botId,
      created_at: Math.floor(clock() / 1000),
      previous_response_id: body.previous_response_id ?? null,
    }
    if (!body.stream) return toResponse(head, await answer())
    return streamResponse(request, reply, head, answer)
  })
}

export function readResponsesRequest(body: ResponsesRequest, botId: string): BotRequest {
  const { tool_choice, text, background, conversation } = body as Record<string, unknown>
  if (background === true) throw invalid('background', 'Use false. Bots answer at once.')
  if (conversation != null) throw invalid('conversation', 'Use previous_response_id or session_id instead.')
  const { input, previous_response_id, session_id = sessionOf(previous_response_id) } = body
  const items: InputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  // Same length as the input, so that errors name the right item.
  const messages = items.map(({ type = 'message', role, content }) =>
    type === 'message' ? { role, content: asTextParts(content) } : {},
  )
  const response_format = (text as { format?: unknown } | undefined)?.format
  return readBotRequest(
    { ...body, ...(session_id == null ? {} : { session_id }), messages, tool_choice, response_format },
    botId,
    {
      messages: 'input',
      response_format: 'text.format',
    },
  )
}

function asTextParts(content: InputItem['content']): InputItem['content'] {
  if (!Array.isArray(content)) return content
  return content.map((part) =>
    part.type === 'input_text' || part.type === 'output_text' ? { ...part, type: 'text' } : part,
  )
}

// The id of a response contains its session, so that the next question can name either.

function responseId({ session_id, message_id }: Pick<ChatResponse, 'session_id' | 'message_id'>): string {
  return `resp_${session_id}.${message_id}`
}

function sessionOf(responseId: string | null | undefined): string | undefined {
  if (responseId == null) return undefined
  const session = /^resp_(.+)\.[^.]+$/.exec(responseId)?.[1]
  if (!session) throw invalid('previous_response_id', 'Use the id of an earlier response.')
  return session
}

type Head = Pick<ResponsesResponse, 'model' | 'created_at' | 'previous_response_id'>

// Calls are counted, not tokens; some clients fail when usage is missing.
const fixedFields = {
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: false,
  temperature: null,
  top_p: null,
  tool_choice: 'none' as const,
  tools: [],
  usage: {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  },
}

function toResponse(head: Head, answer: ChatResponse, sentText = answer.response): ResponsesResponse {
  const links = sourceLinks(answer.sources, sentText.length)
  const content = toContent(sentText + links.text, annotations(answer.sources, links.ranges))
  return {
    id: responseId(answer),
    object: 'response',
    status: 'completed',
    ...head,
    output: [toItem(answer.message_id, 'completed', [content])],
    ...fixedFields,
    ...docentFields(answer),
  }
}

type Item = ResponsesResponse['output'][number]
type Content = Item['content'][number]

function toItem(id: string, status: string, content: Content[]): Item {
  return { id, type: 'message', role: 'assistant', status, content }
}

function toContent(text: string, annotations: Content['annotations']): Content {
  return { type: 'output_text', text, annotations, logprobs: [] }
}

function annotations(
  sources: ChatResponse['sources'],
  ranges: { start: number; end: number }[],
): Content['annotations'] {
  return sources.map(({ title, url }, index) => {
    const { start = 0, end = 0 } = ranges[index] ?? {}
    return { type: 'url_citation' as const, title, url, start_index: start, end_index: end }
  })
}

async function streamResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  head: Head,
  answer: AnswerCall,
): Promise<FastifyReply> {
  const events = openEventStream(reply)
  let sequence = 0
  let sentText = ''
  let itemId: string | null = null
  const send = (type: string, fields: object) => events.send(type, { type, sequence_number: sequence++, ...fields })
  const place = () => ({ item_id: itemId, output_index: 0, content_index: 0 })

  function begin(turn: Pick<ChatResponse, 'session_id' | 'message_id'>) {
    itemId = turn.message_id
    const response = {
      id: responseId(turn),
      object: 'response',
      status: 'in_progress',
      ...head,
      ...fixedFields,
      output: [],
    }
    send('response.created', { response })
    send('response.in_progress', { response })
    send('response.output_item.added', { output_index: 0, item: toItem(turn.message_id, 'in_progress', []) })
    send('response.content_part.added', { ...place(), part: toContent('', []) })
  }
  function sendText(delta: string) {
    sentText += delta
    if (delta !== '') send('response.output_text.delta', { ...place(), delta, logprobs: [] })
  }

  try {
    const chatAnswer = await answer({
      onStart: ({ sessionId, messageId }) => begin({ session_id: sessionId, message_id: messageId }),
      onText: sendText,
    })
    if (itemId === null) begin(chatAnswer)
    // Text already sent cannot be withdrawn: if the language model failed midway, the replacement follows it.
    const { response: text } = chatAnswer
    sendText(text.startsWith(sentText) ? text.slice(sentText.length) : `\n\n${text}`)
    const response = toResponse(head, chatAnswer, sentText)
    const [item] = response.output
    const [part] = item?.content ?? []
    sendText((part?.text ?? '').slice(sentText.length))
    for (const [annotation_index, annotation] of (part?.annotations ?? []).entries())
      send('response.output_text.annotation.added', { ...place(), annotation_index, annotation })
    send('response.output_text.done', { ...place(), text: sentText, logprobs: [] })
    send('response.content_part.done', { ...place(), part })
    send('response.output_item.done', { output_index: 0, item })
    send('response.completed', { response })
  } catch (error) {
    // Errors before the first event get a normal error response.
    if (!events.hasBegun()) throw error
    const fault = toFault(error)
    const body = openAiErrorBody(fault, request.id)
    logFault(fault, request)
    await request.mirrorEnd(reply, fault.status, body)
    send('error', { ...body.error, type: 'error', error: body.error })
  }
  events.end()
  return reply
}
