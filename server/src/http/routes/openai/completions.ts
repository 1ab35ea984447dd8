// The chat API for OpenAI clients: POST /api/v1/chat in another format.
import { Fault } from '@docent/contract'
import type { AnswerChat } from '../../../conversations/answer-chat.ts'
import type { BotRecord } from '../../../storage/bots.ts'
import { createAnswerCall } from '../../answer-call.ts'
import type { Route } from '../../route.ts'
import { toCompletion } from './completion-answer.ts'
import { readCompletionRequest } from './completion-request.ts'
import { streamCompletion } from './stream-completion.ts'

interface Deps {
  answerChat: AnswerChat
  findBot: (workspaceId: string, botId: string) => Promise<BotRecord | undefined>
  clock: () => number
}

export function completionRoutes(route: Route, { answerChat, findBot, clock }: Deps) {
  route('POST /v1/chat/completions', async (incoming) => {
    const { caller, body, request, reply } = incoming
    // Ignore Accept: OpenAI's own client asks for JSON when it wants a stream.
    const { chatRequest, history } = readCompletionRequest(body, caller.botId)
    const answer = createAnswerCall(answerChat, incoming, chatRequest, history)
    const head = { model: caller.botId, created: Math.floor(clock() / 1000) }
    if (!body.stream) return toCompletion(head, await answer())
    return streamCompletion(request, reply, { head, answer, withUsage: body.stream_options?.include_usage === true })
  })

  route('GET /v1/models', async ({ caller, request }) => {
    // There is no message to mirror.
    request.mirrored = true
    const bot = await findBot(caller.workspaceId, caller.botId)
    if (!bot) throw new Fault('bot_not_found')
    const created = Math.floor(bot.createdAt / 1000)
    return { object: 'list', data: [{ id: bot.id, object: 'model', created, owned_by: 'docent', name: bot.name }] }
  })
}
