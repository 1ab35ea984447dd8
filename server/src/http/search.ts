import type { FindBot } from '../access/managers.ts'
import { inspectQuestion } from '../answers/inspect-question.ts'
import type { Knowledge } from '../answers/types.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Route } from './route.ts'

interface Deps {
  findBot: FindBot
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  baseUrl: string
}

export function searchRoutes(route: Route, { findBot, knowledgeOf, baseUrl }: Deps) {
  route('GET /api/manage/v1/bots/{botId}/search', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const siteUrl = bot.siteUrl ?? baseUrl
    const voice = { language: bot.language, siteUrl }
    const { hits, confidence } = await inspectQuestion(query.q.trim(), voice, await knowledgeOf(bot), query.limit ?? 10)
    return {
      results: hits.map(({ passage, score, signals }) => ({
        document_id: passage.documentId,
        title: passage.title,
        url: passage.url ?? siteUrl,
        passage: passage.text,
        score,
        signals: { ...signals },
      })),
      confidence,
    }
  })
}
