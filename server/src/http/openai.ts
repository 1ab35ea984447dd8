// The chat API for OpenAI clients: POST /api/v1/chat in another format.
import {
  ANY_MODEL,
  type ChatCompletion,
  type ChatCompletionRequest,
  type ChatRequest,
  type ChatResponse,
  type CompletionMessage,
  Fault,
  MESSAGE_LENGTH,
} from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Turn } from '../answers/types.ts'
import type { Context } from '../context.ts'
import type { PresentedKey } from '../storage/keys.ts'
import { type AnswerCall, makeAnswerCall, sourceLinks, withoutSourceLinks } from './chat.ts'
import type { Modules } from './modules.ts'
import { logFault, openAiErrorBody, toFault } from './server/errors.ts'
import { openEventStream } from './server/event-streams.ts'
import type { Route } from './server/route.ts'

export function completionRoutes(
  route: Route,
  { storage, clock }: Context,
  { conversations }: Pick<Modules, 'conversations'>,
) {
  route('POST /v1/chat/completions', async (incoming) => {
    const { caller, body, request, reply } = incoming
    // Ignore Accept: OpenAI's own client asks for JSON when it wants a stream.
    const { chatRequest, history } = readCompletionRequest(body, caller.botId)
    const answer = makeAnswerCall(conversations.answerChat, incoming, chatRequest, history)
    const head = { model: caller.botId, created: Math.floor(clock() / 1000) }
    if (!body.stream) return toCompletion(head, await answer())
    return streamCompletion(request, reply, { head, answer, withUsage: body.stream_options?.include_usage === true })
  })

  route('GET /v1/models', async ({ caller, request }) => {
    // There is no message to mirror.
    request.mirrored = true
    return { object: 'list', data: [await modelOf(caller)] }
  })

  route('GET /v1/models/{modelId}', async ({ caller, params, request }) => {
    request.mirrored = true
    requireModel(params.modelId, caller.botId)
    return modelOf(caller)
  })

  async function modelOf({ workspaceId, botId }: PresentedKey) {
    const bot = await storage.bots.find(workspaceId, botId)
    if (!bot) throw new Fault('bot_not_found')
    const createdSeconds = Math.floor(bot.createdAt / 1000)
    return { id: bot.id, object: 'model' as const, created: createdSeconds, owned_by: 'docent', name: bot.name }
  }
}

function requireModel(model: string, botId: string) {
  if (model !== botId && model !== ANY_MODEL) throw new Fault('model_not_found')
}

// Converts a request in one of OpenAI's formats into a message to the bot and its history.

export interface BotRequest {
  chatRequest: ChatRequest
  history: Turn[]
}

export function readCompletionRequest(body: ChatCompletionRequest, botId: string): BotRequest {
  return readBotRequest(body, botId, { messages: 'messages', response_format: 'response_format' })
}

interface OpenAiRequest extends Partial<Omit<ChatCompletionRequest, 'model' | 'messages'>> {
  model: string
  tool_choice?: unknown
  response_format?: unknown
  messages: { role?: string | undefined; content?: CompletionMessage['content'] | undefined }[]
}

/** `names`: what the caller's format calls the fields that errors name. */
export function readBotRequest(
  body: OpenAiRequest,
  botId: string,
  names: { messages: string; response_format: string },
): BotRequest {
  refuseUnsupported(body as unknown as Json, names.response_format)
  requireModel(body.model, botId)
  const last = body.messages.findLastIndex(({ role }) => role === 'user')
  const path = `${names.messages}.${last}.content`
  const lastMessage = body.messages[last]
  if (!lastMessage) throw invalid(names.messages, 'Add a message with the role user.')
  if (Array.isArray(lastMessage.content) && lastMessage.content.some(({ type }) => type !== 'text'))
    throw invalid(path, 'Use text only. Bots do not read images, audio or files.')
  const message = textOf(lastMessage).trim()
  if (message === '') throw invalid(path, 'This field must not be empty.')
  if (message.length > MESSAGE_LENGTH) throw invalid(path, `Use at most ${MESSAGE_LENGTH} characters.`)
  const { session_id, metadata, stream } = body
  const user_id = body.user ?? body.safety_identifier
  return {
    chatRequest: {
      bot_id: botId,
      message,
      ...(session_id == null ? {} : { session_id }),
      ...(user_id == null ? {} : { user_id }),
      ...(metadata == null ? {} : { metadata }),
      ...(stream == null ? {} : { stream }),
    },
    history: body.messages.slice(0, last).flatMap(toTurn),
  }
}

/** Ignoring these would return something other than what the caller asked for. */
function refuseUnsupported(body: Json, formatName: string) {
  const { tool_choice, function_call, response_format, logprobs, modalities } = body
  const isForced = (choice: unknown) => choice !== undefined && choice !== 'none' && choice !== 'auto'
  if (isForced(tool_choice)) throw invalid('tool_choice', 'Use none or auto. Bots do not call tools.')
  if (isForced(function_call)) throw invalid('function_call', 'Use none or auto. Bots do not call functions.')
  const format = response_format as { type?: unknown } | undefined
  if (format !== undefined && format.type !== 'text') throw invalid(formatName, 'Use the type text.')
  if (logprobs === true) throw invalid('logprobs', 'Use false. Bots have no log probabilities.')
  if (Array.isArray(modalities) && modalities.some((one) => one !== 'text'))
    throw invalid('modalities', 'Use text only.')
}

type Json = Record<string, unknown>

function toTurn(message: OpenAiRequest['messages'][number]): Turn[] {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') return []
  const messageText = textOf(message).slice(0, MESSAGE_LENGTH)
  const text = role === 'assistant' ? withoutSourceLinks(messageText) : messageText
  return text.trim() === '' ? [] : [{ role, text }]
}

function textOf({ content }: { content?: CompletionMessage['content'] | undefined }): string {
  if (!Array.isArray(content)) return content ?? ''
  return content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n')
}

export function invalid(path: string, message: string): Fault {
  return new Fault('validation_failed', { details: [{ path, message }] })
}

// Formats an answer as an OpenAI chat completion, whole and in chunks.

interface CompletionHead {
  /** The bot's id. */
  model: string
  /** Unix seconds. */
  created: number
}

// Calls are counted, not tokens; some clients fail when usage is missing.
const noUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

function toCompletion({ model, created }: CompletionHead, answer: ChatResponse): ChatCompletion {
  const { response, sources } = answer
  const { text, annotations } = annotatedLinks(sources, response.length)
  const message = { role: 'assistant' as const, content: response + text, refusal: null, annotations }
  return {
    id: completionId(answer.message_id),
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: noUsage,
    ...docentFields(answer),
  }
}

function completionId(messageId: string): string {
  return `chatcmpl-${messageId}`
}

/** Source links and their positions, when appended to a text of this length. */
function annotatedLinks(sources: ChatResponse['sources'], startsAt: number) {
  const { text, ranges } = sourceLinks(sources, startsAt)
  const annotations = sources.map(({ title, url }, index) => {
    const { start = 0, end = 0 } = ranges[index] ?? {}
    return { type: 'url_citation' as const, url_citation: { title, url, start_index: start, end_index: end } }
  })
  return { text, annotations }
}

/** Fields that OpenAI does not have. */
export function docentFields({ response: _, ...fields }: ChatResponse) {
  return fields
}

// Streams a chat completion as the server-sent events that OpenAI clients read.

interface CompletionCall {
  head: CompletionHead
  answer: AnswerCall
  /** Whether the last chunk reports usage. */
  withUsage: boolean
}

async function streamCompletion(
  request: FastifyRequest,
  reply: FastifyReply,
  { head, answer, withUsage }: CompletionCall,
): Promise<FastifyReply> {
  const events = openEventStream(reply)
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
    const chatAnswer = await answer({ onStart: ({ messageId }) => begin(messageId), onText: sendText })
    if (id === null) begin(chatAnswer.message_id)
    const { response, sources } = chatAnswer
    // Text already sent cannot be withdrawn: if the language model failed midway, the replacement follows it.
    sendText(response.startsWith(sentText) ? response.slice(sentText.length) : `\n\n${response}`)
    const { text, annotations } = annotatedLinks(sources, sentText.length)
    sendText(text)
    const delta = annotations.length > 0 ? { annotations } : {}
    send([{ index: 0, delta, finish_reason: 'stop' }], docentFields(chatAnswer))
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
