// MCP tools: search a bot's content, or ask it a question. Each use counts as a call.
import { AskArguments, AskResult, type ChatRequest, Fault, SearchArguments, SearchResults } from '@docent/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CountCall } from '../../../access/quota.ts'
import { inspectQuestion } from '../../../answers/inspect-question.ts'
import type { Knowledge } from '../../../answers/types.ts'
import type { AnswerChat } from '../../../conversations/answer-chat.ts'
import { voiceOf } from '../../../conversations/answer-message.ts'
import type { BotRecord } from '../../../storage/bots.ts'
import type { PresentedKey } from '../../../storage/keys.ts'
import { createAnswerCall } from '../../answer-call.ts'
import { errorBody, logFault, toFault } from '../../errors.ts'
import { createItemCheck, withoutIds } from '../../schemas.ts'
import { sourceLinks } from '../../source-links.ts'

export interface ToolCall {
  caller: PresentedKey
  request: FastifyRequest
  reply: FastifyReply
  bot: BotRecord
}

export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: true
}

/** Null: there is no such tool. */
export type CallTool = (call: ToolCall, name: unknown, given: unknown) => Promise<ToolResult | null>

export const tools = [
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
  search_knowledge: createItemCheck(SearchArguments),
  ask: createItemCheck(AskArguments),
}

interface Deps {
  answerChat: AnswerChat
  countCall: CountCall
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  widgetBaseUrl: string
}

export function createCallTool({ answerChat, countCall, knowledgeOf, widgetBaseUrl }: Deps): CallTool {
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
    const answer = await createAnswerCall(answerChat, call, asked)()
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
