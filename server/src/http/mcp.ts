// A bot as a Model Context Protocol server: streamable HTTP without sessions, so that any node can answer. Each
// request carries one JSON-RPC message and is answered with JSON.
import {
  AskArguments,
  AskResult,
  type ChatRequest,
  Fault,
  type McpReply,
  ProductSearchResults,
  SearchArguments,
  SearchResults,
} from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inspectQuestion } from '../answers/answer-question.ts'
import type { Context } from '../context.ts'
import { voiceOf } from '../conversations/answer-message.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { DocumentRecord, DocumentsTable, PassageRecord } from '../storage/documents.ts'
import type { PresentedKey } from '../storage/keys.ts'
import type { ListQuery } from '../storage/lists.ts'
import { timestamp } from '../timestamps.ts'
import { VERSION } from '../version.ts'
import { makeAnswerCall, sourceLinks } from './chat.ts'
import type { Modules } from './modules.ts'
import { errorBody, logFault, toFault } from './server/errors.ts'
import { requireAcceptable } from './server/event-streams.ts'
import { sortedPage } from './server/paging.ts'
import type { Incoming, Route } from './server/route.ts'
import { makeItemCheck, withoutIds } from './server/schemas.ts'

// Enough to recognise a product; its page has the rest.
const SHOWN_DESCRIPTION = 500
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const RESOURCE_NOT_FOUND = -32002
const QUOTA_EXCEEDED = -32000

type ToolModules = Pick<Modules, 'access' | 'conversations' | 'catalogue'>

type Reply = Pick<McpReply, 'result' | 'error'>

export function mcpRoutes(route: Route, context: Context, modules: ToolModules) {
  const { bots, documents } = context.storage
  const { countCall } = modules.access
  const { origin } = new URL(context.config.baseUrl)
  const callTool = makeCallTool(context, modules)

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
    const bot = await bots.find(caller.workspaceId, caller.botId)
    if (!bot) throw new Fault('bot_not_found')
    switch (method) {
      case 'initialize':
        return { result: initializeResult(bot, params.protocolVersion) }
      case 'tools/list':
        return { result: { tools: toolsOf(bot) } }
      case 'tools/call': {
        const result = await callTool({ caller, request, reply, bot }, params.name, params.arguments)
        return result ? { result } : { error: { code: INVALID_PARAMS, message: `There is no tool ${params.name}.` } }
      }
      case 'resources/templates/list':
        return { result: { resourceTemplates } }
      case 'resources/list':
      case 'resources/read': {
        await reply.waitForTurn()
        const quota = await countCall(caller)
        reply.headers(quota.headers)
        if (quota.refusal) return { error: { code: QUOTA_EXCEEDED, message: quota.refusal.message } }
        return method === 'resources/list'
          ? listResources(documents, bot, params.cursor)
          : readResource(documents, bot, params.uri)
      }
      default:
        return { error: { code: METHOD_NOT_FOUND, message: `There is no method ${method}.` } }
    }
  }
}

function initializeResult(bot: BotRecord, requestedVersion: unknown) {
  const about = bot.siteUrl ? ` (${bot.siteUrl})` : ''
  return {
    protocolVersion: VERSIONS.find((version) => version === requestedVersion) ?? VERSIONS[0],
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'docent', title: bot.name, version: VERSION },
    instructions: `Answers from the pages, files and products behind the chatbot “${bot.name}”${about}, with sources.`,
  }
}

function checkHeaders(request: FastifyRequest, ownOrigin: string) {
  const { origin, 'mcp-protocol-version': version } = request.headers
  // Required by the protocol against DNS rebinding: other sites must not reach a local server through the browser.
  if (origin !== undefined && origin !== ownOrigin) throw new Fault('origin_not_allowed')
  if (version !== undefined && !VERSIONS.includes(String(version))) {
    const details = [{ path: 'mcp-protocol-version', message: `Use one of these: ${VERSIONS.join(', ')}.` }]
    throw new Fault('validation_failed', { details })
  }
  requireAcceptable(request, 'application/json')
}

// MCP resources: the bot's documents as Markdown, as they are searched. Listing a page of them and reading one count as calls.

const RESOURCE = /^docent:\/\/documents\/([^/?#]+)$/
const RESOURCES_AT_ONCE = 100
// What an assistant can take in; longer documents are better searched.
const LONGEST_RESOURCE = 500_000

const resourceTemplates = [
  {
    uriTemplate: 'docent://documents/{id}',
    name: 'document',
    title: 'A document of the chatbot',
    description: 'A page, file or text that the chatbot answers from.',
    mimeType: 'text/markdown',
  },
]

async function listResources(documents: DocumentsTable, bot: BotRecord, cursor: unknown): Promise<Reply> {
  const invalid = { error: { code: INVALID_PARAMS, message: 'This cursor does not belong to this list.' } }
  if (cursor !== undefined && typeof cursor !== 'string') return invalid
  const query = { limit: RESOURCES_AT_ONCE, ...(cursor === undefined ? {} : { cursor }) }
  const list = (listQuery: ListQuery) => documents.list(bot.id, listQuery)
  const resourcePage = await sortedPage(query, 'id', ({ id }) => id, list, toResource).catch((error) => {
    if (error instanceof Fault && error.code === 'validation_failed') return null
    throw error
  })
  if (!resourcePage) return invalid
  const nextCursor = resourcePage.next_cursor === null ? {} : { nextCursor: resourcePage.next_cursor }
  return { result: { resources: resourcePage.items, ...nextCursor } }
}

function toResource({ id, title, url, updatedAt }: DocumentRecord) {
  return {
    uri: `docent://documents/${encodeURIComponent(id)}`,
    name: title,
    title,
    mimeType: 'text/markdown',
    ...(url === null ? {} : { description: url }),
    annotations: { lastModified: timestamp(updatedAt) },
  }
}

async function readResource(documents: DocumentsTable, bot: BotRecord, uri: unknown): Promise<Reply> {
  const id = documentIdOf(uri)
  const document = id === null ? undefined : await documents.find(bot.id, id)
  if (!document) return { error: { code: RESOURCE_NOT_FOUND, message: `There is no resource ${uri}.` } }
  const passages = await documents.listPassages(bot.id, document.id)
  const text = toMarkdown(
    document,
    passages.filter(({ isExcluded }) => !isExcluded),
  )
  return { result: { contents: [{ uri, mimeType: 'text/markdown', text }] } }
}

function documentIdOf(uri: unknown): string | null {
  const [, encodedId] = RESOURCE.exec(String(uri)) ?? []
  try {
    return encodedId ? decodeURIComponent(encodedId) : null
  } catch {
    // A stray percent sign.
    return null
  }
}

function toMarkdown({ title, url }: DocumentRecord, passages: PassageRecord[]): string {
  const parts = [`# ${title}`, ...(url === null ? [] : [url])]
  let length = 0
  let above = title
  for (const { headings, text } of passages) {
    const heading = headings.at(-1) ?? title
    if (heading !== above) parts.push(`## ${heading}`)
    above = heading
    length += text.length
    if (length > LONGEST_RESOURCE) {
      parts.push('[The rest is left out: search_knowledge finds it.]')
      break
    }
    parts.push(text)
  }
  return parts.join('\n\n')
}

// MCP tools: search a bot's content or products, or ask it a question. Each use counts as a call.

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
type CallTool = (call: ToolCall, name: unknown, toolArguments: unknown) => Promise<ToolResult | null>

const searchProductsTool = {
  name: 'search_products',
  title: 'Search the products',
  description:
    'Finds products of the shop by a description in natural language, such as “waterproof jackets for women under 200 euros in stock”, with price, availability and address.',
  inputSchema: withoutIds(SearchArguments),
  outputSchema: withoutIds(ProductSearchResults),
  annotations: { readOnlyHint: true, openWorldHint: false },
}

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

function toolsOf({ productVersion }: BotRecord) {
  return productVersion === 0 ? tools : [...tools, searchProductsTool]
}

const problemOf = {
  search_products: makeItemCheck(SearchArguments),
  search_knowledge: makeItemCheck(SearchArguments),
  ask: makeItemCheck(AskArguments),
}

function makeCallTool({ config }: Context, { access, conversations, catalogue }: ToolModules): CallTool {
  const { countCall } = access
  const { knowledgeOf } = catalogue

  async function search({ bot }: ToolCall, { query, limit = 5 }: SearchArguments): Promise<ToolResult> {
    const voice = voiceOf(bot, config.widgetBaseUrl)
    const { hits, confidence } = await inspectQuestion(query.trim(), voice, await knowledgeOf(bot), limit)
    const results = hits.map(({ passage, score }) => {
      return { title: passage.title, url: passage.url ?? voice.siteUrl, passage: passage.text, score }
    })
    const texts = results.map(({ title, url, passage }) => `${title} (${url})\n${passage}`)
    return toToolResult(texts.join('\n\n') || 'Nothing was found.', { results, confidence } satisfies SearchResults)
  }

  async function searchProducts({ bot }: ToolCall, { query, limit = 5 }: SearchArguments): Promise<ToolResult> {
    const shop = await (await knowledgeOf(bot)).openProducts?.()
    const foundProducts = await shop?.search(query.trim(), bot.language, limit)
    const products = (foundProducts?.products ?? []).map(({ imageUrl, regularPrice, description, ...product }) => ({
      ...product,
      image_url: imageUrl,
      regular_price: regularPrice,
      description: description.slice(0, SHOWN_DESCRIPTION),
    }))
    const results = { products, meets_all: foundProducts?.meetsAll ?? false } satisfies ProductSearchResults
    const texts = products.map(({ title, url, price, currency, availability, description }) => {
      const facts = [price === null ? null : `${price}${currency ? ` ${currency}` : ''}`, availability, url]
      return [title, facts.filter(Boolean).join(', '), description].filter(Boolean).join('\n')
    })
    return toToolResult(texts.join('\n\n') || 'No product was found.', results)
  }

  async function ask(call: ToolCall, body: ChatRequest): Promise<ToolResult> {
    const answer = await makeAnswerCall(conversations.answerChat, call, body)()
    return toToolResult(answer.response + sourceLinks(answer.sources, 0).text, answer)
  }

  return async (call, name, toolArguments = {}) => {
    const { caller, request, reply } = call
    const quota = await countCall(caller)
    reply.headers(quota.headers)
    if (!isTool(name)) return null
    const problem = problemOf[name](toolArguments)
    const chatBody = name === 'ask' && !problem ? chatRequest(caller.botId, toolArguments as AskArguments) : null
    request.mirrored = name !== 'ask'
    request.mirroredRequest = chatBody
    try {
      if (quota.refusal) throw quota.refusal
      if (problem) throw new Fault('validation_failed', { message: `The arguments are not valid. ${problem}` })
      if (chatBody) return await ask(call, chatBody)
      return await (name === 'search_products' ? searchProducts : search)(call, toolArguments as SearchArguments)
    } catch (error) {
      const fault = toFault(error)
      logFault(fault, request)
      await request.mirrorEnd(reply, fault.status, errorBody(fault, request.id))
      // A result rather than an error, so that the assistant can read it and correct itself.
      return { content: [{ type: 'text', text: fault.message }], isError: true }
    }
  }
}

function isTool(name: unknown): name is keyof typeof problemOf {
  return typeof name === 'string' && Object.hasOwn(problemOf, name)
}

function chatRequest(botId: string, { question, session_id }: AskArguments): ChatRequest {
  const message = question.trim()
  return { bot_id: botId, message, ...(session_id == null ? {} : { session_id }) }
}

function toToolResult(text: string, structuredContent: object): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}
