import type { FindBot } from '../access/managers.ts'
import { confidenceOf } from '../answers/confidence.ts'
import type { Hit } from '../answers/types.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Route } from './route.ts'

interface Deps {
  findBot: FindBot
  retrieve: (bot: BotRecord, question: string, limit: number) => Promise<Hit[]>
  baseUrl: string
}

export function searchRoutes(route: Route, { findBot, retrieve, baseUrl }: Deps) {
  route('GET /api/manage/v1/bots/{botId}/search', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const hits = await retrieve(bot, query.q.trim(), query.limit ?? 10)
    return {
      results: hits.map(({ passage, score, coverage }) => ({
        document_id: passage.documentId,
        title: passage.title,
        url: passage.url ?? bot.siteUrl ?? baseUrl,
        passage: passage.text,
        score,
        signals: { words: score, coverage },
      })),
      confidence: confidenceOf(hits),
    }
  })
}
