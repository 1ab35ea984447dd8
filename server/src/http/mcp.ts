// A bot as a Model Context Protocol server: streamable HTTP without sessions, so that any node can answer. Each
// request carries one JSON-RPC message and is answered with JSON.
import {
  AskArguments,
  AskResult,
  type ChatRequest,
  Fault,
  type McpReply,
  SearchArguments,
  SearchResults,
} from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CountCall } from '../access/quota.ts'
import { inspectQuestion } from '../answers/inspect-question.ts'
import type { Knowledge } from '../answers/types.ts'
import type { AnswerChat } from '../conversations/answer-chat.ts'
import { voiceOf } from '../conversations/answer-message.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { PresentedKey } from '../storage/keys.ts'
import { VERSION } from '../version.ts'
import { makeAnswerCall, sourceLinks } from './chat.ts'
import { errorBody, logFault, toFault } from './server/errors.ts'
import type { Incoming, Route } from './server/route.ts'
import { makeItemCheck, withoutIds } from './server/schemas.ts'
import { requireAcceptable } from './server/stream-answer.ts'

const versions = ['2025-11-25', '2025-06-18', '2025-03-26']
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602

interface Deps {
  callTool: CallTool
  findBot: (workspaceId: string, botId: string) => Promise<BotRecord | undefined>
  baseUrl: string
}

type Reply = Pick<McpReply, 'result' | 'error'>

export function mcpRoutes(route: Route, { callTool, findBot, baseUrl }: Deps) {
  const { origin } = new URL(baseUrl)

  route('POST /mcp', async (incoming) => {
    const { body, request, reply } = incoming
    // Only questions to the bot are mirrored; the tool does that.
    request.mirrored = true
    checkHeaders(request, origin)
    const { id, method } = body
    if (id === undefined || method === undefined) return reply.code(202).send()
    return { jsonrpc: '2.0', id, ...(await replyTo(method, incoming)) }
  })

  async function replyTo(method: string, { caller, body, request, reply }: Incoming<'POST /mcp'>): Promise<Reply> {
    const params = (body.params ?? {}) as Record<string, unknown>
    if (method === 'ping') return { result: {} }
    const bot = await findBot(caller.workspaceId, caller.botId)
    if (!bot) throw new Fault('bot_not_found')
    if (method === 'initialize') return { result: initializeResult(bot, params.protocolVersion) }
    if (method === 'tools/list') return { result: { tools } }
    if (method !== 'tools/call') return { error: { code: METHOD_NOT_FOUND, message: `There is no method ${method}.` } }
    const result = await callTool({ caller, request, reply, bot }, params.name, params.arguments)
    return result ? { result } : { error: { code: INVALID_PARAMS, message: `There is no tool ${params.name}.` } }
  }
}

function initializeResult(bot: BotRecord, asked: unknown) {
  const about = bot.siteUrl ? ` (${bot.siteUrl})` : ''
  return {
    protocolVersion: versions.find((version) => version === asked) ?? versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'docent', title: bot.name, version: VERSION },
    instructions: `Answers from the pages, files and products behind the chatbot “${bot.name}”${about}, with sources.`,
  }
}

function checkHeaders(request: FastifyRequest, ownOrigin: string) {
  const { origin, 'mcp-protocol-version': version } = request.headers
  // Required by the protocol against DNS rebinding: other sites must not reach a local server through the browser.
  if (origin !== undefined && origin !== ownOrigin) throw new Fault('origin_not_allowed')
  if (version !== undefined && !versions.includes(String(version))) {
    const details = [{ path: 'mcp-protocol-version', message: `Use one of these: ${versions.join(', ')}.` }]
    throw new Fault('validation_failed', { details })
  }
  requireAcceptable(request, 'application/json')
}

// MCP tools: search a bot's content, or ask it a question. Each use counts as a call.

interface ToolCall {
  caller: PresentedKey
  request: FastifyRequest
  reply: FastifyReply
  bot: BotRecord
}

interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: true
}

/** Null: there is no such tool. */
type CallTool = (call: ToolCall, name: unknown, given: unknown) => Promise<ToolResult | null>

const tools = [
  {
    name: 'search_knowledge',
    title: 'Search the knowledge',
    description:
      'Finds the passages of the chatbot’s pages, files and texts that fit a question best, with the address of each. Use it to read the sources yourself.',
    inputSchema: withoutIds(SearchArguments),
    outputSchema: withoutIds(SearchResults),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'ask',
    title: 'Ask the chatbot',
    description:
      'Has the chatbot answer a question from its content and products, with sources and a confidence. Send the session_id of its answer to ask a follow-up.',
    inputSchema: withoutIds(AskArguments),
    outputSchema: withoutIds(AskResult),
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
]

const problemOf = {
  search_knowledge: makeItemCheck(SearchArguments),
  ask: makeItemCheck(AskArguments),
}

interface ToolDeps {
  answerChat: AnswerChat
  countCall: CountCall
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  widgetBaseUrl: string
}

export function makeCallTool({ answerChat, countCall, knowledgeOf, widgetBaseUrl }: ToolDeps): CallTool {
  async function search({ bot }: ToolCall, { query, limit = 5 }: SearchArguments): Promise<ToolResult> {
    const voice = voiceOf(bot, widgetBaseUrl)
    const { hits, confidence } = await inspectQuestion(query.trim(), voice, await knowledgeOf(bot), limit)
    const results = hits.map(({ passage, score }) => {
      return { title: passage.title, url: passage.url ?? voice.siteUrl, passage: passage.text, score }
    })
    const texts = results.map(({ title, url, passage }) => `${title} (${url})\n${passage}`)
    return toToolResult(texts.join('\n\n') || 'Nothing was found.', { results, confidence } satisfies SearchResults)
  }

  async function ask(call: ToolCall, asked: ChatRequest): Promise<ToolResult> {
    const answer = await makeAnswerCall(answerChat, call, asked)()
    return toToolResult(answer.response + sourceLinks(answer.sources, 0).text, answer)
  }

  return async (call, name, given = {}) => {
    const { caller, request, reply } = call
    const quota = await countCall(caller)
    reply.headers(quota.headers)
    if (name !== 'search_knowledge' && name !== 'ask') return null
    const problem = problemOf[name](given)
    const asked = name === 'ask' && !problem ? chatRequest(caller.botId, given as AskArguments) : null
    request.mirrored = name !== 'ask'
    request.mirroredRequest = asked
    try {
      if (quota.refusal) throw quota.refusal
      if (problem) throw new Fault('validation_failed', { message: `The arguments are not valid. ${problem}` })
      return await (asked ? ask(call, asked) : search(call, given as SearchArguments))
    } catch (error) {
      const fault = toFault(error)
      logFault(fault, request)
      await request.mirrorEnd(reply, fault.status, errorBody(fault, request.id))
      // A result rather than an error, so that the assistant can read it and correct itself.
      return { content: [{ type: 'text', text: fault.message }], isError: true }
    }
  }
}

function chatRequest(botId: string, { question, session_id }: AskArguments): ChatRequest {
  const message = question.trim()
  return { bot_id: botId, message, ...(session_id == null ? {} : { session_id }) }
}

function toToolResult(text: string, structuredContent: object): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}
