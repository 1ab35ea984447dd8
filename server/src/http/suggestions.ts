import type { ReplySuggestions } from '@docent/contract'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import type { Route } from './server/route.ts'

export function suggestionRoutes(route: Route, { access, conversations }: Pick<Modules, 'access' | 'conversations'>) {
  const { findBot } = access
  const { takeOver, suggestReplies, writeDraft } = conversations

  route(
    'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/suggestions',
    async ({ caller, params }): Promise<ReplySuggestions> => {
      const bot = await findBot(caller, params.botId)
      const { conversationId } = params
      const suggestions = await suggestReplies(bot, await takeOver.find({ botId: bot.id, conversationId }))
      return {
        question: suggestions.question,
        answers: suggestions.answers,
        past_replies: suggestions.pastReplies.map(({ conversationId: id, question, text, agentName, createdAt }) => ({
          conversation_id: id,
          question,
          text,
          agent_name: agentName,
          replied_at: timestamp(createdAt),
        })),
        canned_replies: suggestions.cannedReplies.map(({ id, shortcut, text }) => ({ id, shortcut, text })),
      }
    },
  )

  route('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/drafts', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    const { conversationId } = params
    return writeDraft(bot, await takeOver.find({ botId: bot.id, conversationId }), body)
  })
}
