// A bot as a Model Context Protocol server: streamable HTTP without sessions, so that any node can answer. Each
// request carries one JSON-RPC message and is answered with JSON.
import { Fault, type McpReply } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import type { BotRecord } from '../../../storage/bots.ts'
import { VERSION } from '../../../version.ts'
import { requireAcceptable } from '../../acceptable.ts'
import type { Incoming, Route } from '../../route.ts'
import { type CallTool, tools } from './tools.ts'

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
